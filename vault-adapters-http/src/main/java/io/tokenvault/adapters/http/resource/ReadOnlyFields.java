package io.tokenvault.adapters.http.resource;

import io.tokenvault.adapters.http.exchange.Timestamps;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.domain.request.UnchangedFields;
import io.tokenvault.domain.secret.SensitiveValue;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads the read-only fields that a client may send back when it updates a resource.
 *
 * <p>Fields that change without an update, such as the time of last use, are ignored; all others
 * are compared with the stored values later.
 */
final class ReadOnlyFields {

  private ReadOnlyFields() {}

  /** Reads the read-only fields of an application. */
  static UnchangedFields ofApplication(JsonFields fields) {
    Map<String, Object> given = read(fields);
    put(given, "type", fields.text("type"));
    put(given, "expires_at", fields.parsed("expires_at", Timestamps::read, Timestamps.SHAPE));
    fields.ignore("last_used_at");
    return new UnchangedFields(given);
  }

  /** Reads the read-only fields of a proxy, including its key. */
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
    put(given, "created_at", fields.parsed("created_at", Timestamps::read, Timestamps.SHAPE));
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
