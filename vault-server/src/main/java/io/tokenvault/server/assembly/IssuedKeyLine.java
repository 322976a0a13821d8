package io.tokenvault.server.assembly;

import io.tokenvault.domain.secret.ApiKey;
import io.tokenvault.ports.usecase.application.ManageApplications.IssuedApplication;
import io.tokenvault.ports.usecase.tenant.ManageTenants.IssuedTenant;
import io.tokenvault.server.json.JsonLine;
import java.nio.charset.StandardCharsets;

/**
 * Formats a newly issued key as the line of JSON that a command prints.
 *
 * <p>The line has the fields {@code tenant_id}, {@code application_id} and {@code key}:
 *
 * <pre>{@code
 * {"tenant_id":"…","application_id":"…","key":"…"}
 * }</pre>
 *
 * <p>This is the only time that the key is shown; the vault stores its hash.
 */
public final class IssuedKeyLine {

  private IssuedKeyLine() {}

  /** Returns the line for a new tenant and its management application, without a line feed. */
  public static String json(IssuedTenant tenant) {
    return line(
        tenant.tenantId().toString(), tenant.applicationId().toString(), text(tenant.key()));
  }

  /** Returns the line for an application whose key was issued, without a line feed. */
  public static String json(IssuedApplication issued) {
    return line(
        issued.application().tenantId().toString(),
        issued.application().id().toString(),
        text(issued.key()));
  }

  /**
   * Returns the key in clear text, as a client sends it in a request. The result must not be
   * logged.
   */
  public static String text(ApiKey key) {
    return new String(key.value().open(), StandardCharsets.US_ASCII);
  }

  private static String line(String tenantId, String applicationId, String key) {
    return new JsonLine()
        .with("tenant_id", tenantId)
        .with("application_id", applicationId)
        .with("key", key)
        .toString();
  }
}
