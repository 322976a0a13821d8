package io.tokenvault.adapters.http.request;

import io.tokenvault.adapters.http.json.Timestamps;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.domain.request.UnchangedFields;
import io.tokenvault.domain.secret.SensitiveValue;
import java.util.HashMap;
import java.util.Map;

/**
 * What a client may send back of a resource that it read, beside what it replaces. Who changed it
 * last and when, and when it was last used, change by themselves and are not looked at.
 */
final class ReadOnlyFields {

  private ReadOnlyFields() {}

  static UnchangedFields ofApplication(JsonFields fields) {
    Map<String, Object> given = read(fields);
    put(given, "type", fields.text("type"));
    put(given, "expires_at", Timestamps.read(fields, "expires_at"));
    fields.ignore("last_used_at");
    return new UnchangedFields(given);
  }

  static UnchangedFields ofProxy(JsonFields fields) {
    Map<String, Object> given = read(fields);
    String key = fields.text("key");
    put(given, "key", key == null ? null : SensitiveValue.ofText(key));
    return new UnchangedFields(given);
  }

  private static Map<String, Object> read(JsonFields fields) {
    Map<String, Object> given = new HashMap<>();
    for (String name : new String[] {"id", "tenant_id", "created_by"}) {
      put(given, name, fields.uuid(name));
    }
    put(given, "created_at", Timestamps.read(fields, "created_at"));
    fields.ignore("modified_by");
    fields.ignore("modified_at");
    return given;
  }

  private static void put(Map<String, Object> given, String name, Object value) {
    if (value != null) {
      given.put(name, value);
    }
  }
}
