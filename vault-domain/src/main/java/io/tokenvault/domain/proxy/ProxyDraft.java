package io.tokenvault.domain.proxy;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.failure.TextMapLimits;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.tenant.ResourceName;
import java.util.Map;
import java.util.Optional;

/**
 * A proxy, new or changed, as a client wrote it; any part may be null or wrong.
 *
 * @param applicationId null for none
 * @param configuration null for none; names and values for the transforms
 * @param requireAuth null for the default, true
 */
public record ProxyDraft(
    String name,
    String destinationUrl,
    ApplicationId applicationId,
    Map<String, String> configuration,
    Boolean requireAuth) {

  private static final TextMapLimits CONFIGURATION_LIMITS = new TextMapLimits(100, 200, 10_000);

  /** Notes everything that is wrong, except whether the application exists. */
  public void check(EgressPolicy egress, Violations violations) {
    ResourceName.check(name, violations);
    checkDestination(egress, violations);
    if (configuration != null) {
      CONFIGURATION_LIMITS.check("configuration", configuration, violations);
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
        Optional.ofNullable(applicationId));
  }

  /** Nothing: the configuration can be secret, and none of it is checked. */
  @Override
  public String toString() {
    return "ProxyDraft[redacted]";
  }
}
