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
 * A proxy, new or changed, as a client wrote it; any part may be null or wrong.
 *
 * @param applicationId null for none
 * @param configuration null for none; names and values for the transforms
 * @param requireAuth null for the default, true
 * @param timeoutMillis null for the operator's; 1 to {@link #MAX_TIMEOUT_MILLIS}
 * @param clientCertificate null for none; a name that the operator's configuration has
 * @param transforms the code of those that there are
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

  /** Ten minutes. */
  public static final long MAX_TIMEOUT_MILLIS = 600_000;

  public static final int MAX_CONFIGURATION = 100;

  private static final TextMapLimits CONFIGURATION_LIMITS =
      new TextMapLimits(MAX_CONFIGURATION, 200, 10_000);

  public ProxyDraft {
    transforms = Map.copyOf(transforms);
  }

  /** Of a proxy without transforms. */
  public ProxyDraft(
      String name,
      String destinationUrl,
      ApplicationId applicationId,
      Map<String, String> configuration,
      Boolean requireAuth,
      Long timeoutMillis,
      String clientCertificate) {
    this(
        name,
        destinationUrl,
        applicationId,
        configuration,
        requireAuth,
        timeoutMillis,
        clientCertificate,
        Map.of());
  }

  /**
   * Notes everything that is wrong, except whether the application exists and transforms compile.
   */
  public void check(TenantId tenantId, EgressPolicy egress, Violations violations) {
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
          "client_certificate", "must be the name of a certificate that the operator has set up");
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

  /** Only for a draft that was checked. */
  public ProxySettings toSettings() {
    return new ProxySettings(
        new ResourceName(name),
        destinationUrl,
        requireAuth == null || requireAuth,
        Optional.ofNullable(applicationId),
        Optional.ofNullable(timeoutMillis).map(Duration::ofMillis),
        Optional.ofNullable(clientCertificate));
  }

  /** Nothing: the configuration can be secret, and none of it is checked. */
  @Override
  public String toString() {
    return "ProxyDraft[redacted]";
  }
}
