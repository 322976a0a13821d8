package io.tokenvault.domain.proxy;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.failure.TextMapLimits;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.domain.tenant.TenantId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A new or changed proxy as a client wrote it; any part may be null or invalid. {@link #parse}
 * returns its settings or all violations.
 *
 * @param applicationId null for none
 * @param configuration names and values for the transforms; null for none
 * @param requireAuth null for the default, true
 * @param timeoutMillis 1 to {@link #MAX_TIMEOUT_MILLIS}; null for the operator's default
 * @param clientCertificate a name from the operator's configuration; null for none
 * @param transforms the code of each transform that the proxy has
 */
public record ProxyDraft(
    String name,
    String destinationUrl,
    ApplicationId applicationId,
    Map<String, String> configuration,
    Boolean requireAuth,
    Long timeoutMillis,
    String clientCertificate,
    Map<TransformKind, String> transforms) {

  /** The maximum timeout, ten minutes. */
  public static final long MAX_TIMEOUT_MILLIS = 600_000;

  public static final int MAX_CONFIGURATION = 100;

  private static final TextMapLimits CONFIGURATION_LIMITS =
      new TextMapLimits(MAX_CONFIGURATION, 200, 10_000);

  public ProxyDraft {
    transforms = Map.copyOf(transforms);
  }

  /**
   * Returns the settings, or adds a violation for everything invalid. It checks neither whether the
   * application exists nor whether transforms compile.
   *
   * @param violations may contain violations already found elsewhere in the request
   * @return empty if there is any violation
   */
  public Optional<ProxySettings> parse(
      TenantId tenantId, EgressPolicy egress, Violations violations) {
    check(tenantId, egress, violations);
    return violations.ifNone(this::toSettings);
  }

  private void check(TenantId tenantId, EgressPolicy egress, Violations violations) {
    ResourceName.check(name, violations);
    checkDestination(egress, violations);
    if (configuration != null) {
      CONFIGURATION_LIMITS.check("configuration", configuration, violations);
    }
    if (timeoutMillis != null && (timeoutMillis < 1 || timeoutMillis > MAX_TIMEOUT_MILLIS)) {
      violations.add("timeout_ms", "must be a number from 1 to " + MAX_TIMEOUT_MILLIS);
    }
    transforms.forEach((kind, source) -> TransformCode.check(source, kind.codePath(), violations));
    if (clientCertificate != null
        && egress.clientCertificate(tenantId, clientCertificate).isEmpty()) {
      violations.add(
          "client_certificate",
          "must be the name of a certificate that the operator has configured");
    }
  }

  private void checkDestination(EgressPolicy egress, Violations violations) {
    if (destinationUrl == null) {
      violations.add("destination_url", "is required");
      return;
    }
    try {
      egress
          .refusal(Destination.parse(destinationUrl))
          .ifPresent(message -> violations.add("destination_url", message));
    } catch (InvalidDestinationException invalid) {
      violations.add("destination_url", invalid.getMessage());
    }
  }

  private ProxySettings toSettings() {
    return new ProxySettings(
        new ResourceName(name),
        destinationUrl,
        requireAuth == null || requireAuth,
        Optional.ofNullable(applicationId),
        Optional.ofNullable(timeoutMillis).map(Duration::ofMillis),
        Optional.ofNullable(clientCertificate));
  }

  /** Returns no content, because the configuration can be secret and may be unvalidated. */
  @Override
  public String toString() {
    return "ProxyDraft[redacted]";
  }
}
