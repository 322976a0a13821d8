package io.tokenvault.server.assembly;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.ports.usecase.application.IssuedApplication;
import io.tokenvault.ports.usecase.tenant.ManageTenants.IssuedTenant;
import io.tokenvault.server.json.JacksonJson;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** A key that was just made, as the one line of JSON that a command shows. */
public final class IssuedKeyLine {

  private IssuedKeyLine() {}

  public static String json(IssuedTenant tenant) {
    return line(
        tenant.tenantId().toString(), tenant.applicationId().toString(), text(tenant.key()));
  }

  public static String json(IssuedApplication issued) {
    return line(
        issued.application().tenantId().toString(),
        issued.application().id().toString(),
        text(issued.key()));
  }

  /** The key itself, for whoever sends it in a request. */
  public static String text(ApiKey key) {
    return new String(key.value().open(), StandardCharsets.US_ASCII);
  }

  private static String line(String tenantId, String applicationId, String key) {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    members.put("tenant_id", JsonValue.of(tenantId));
    members.put("application_id", JsonValue.of(applicationId));
    members.put("key", JsonValue.of(key));
    return new String(new JacksonJson().write(new JsonObject(members)), StandardCharsets.UTF_8);
  }
}
