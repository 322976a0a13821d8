package io.tokenvault.domain.proxy;

import io.tokenvault.domain.application.ApplicationId;
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

  public static final int MAX_CONFIGURATION = 100;
  public static final int MAX_CONFIGURATION_KEY = 200;
  public static final int MAX_CONFIGURATION_VALUE = 10_000;

  /** Notes everything that is wrong, except whether the application exists. */
  public void check(EgressPolicy egress, Violations violations) {
    ResourceName.check(name, violations);
    checkDestination(egress, violations);
    if (configuration != null) {
      checkConfiguration(violations);
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

  private void checkConfiguration(Violations violations) {
    if (configuration.size() > MAX_CONFIGURATION) {
      violations.add("configuration", "must have at most " + MAX_CONFIGURATION + " entries");
      return;
    }
    configuration.forEach(
        (key, value) -> {
          if (key.isEmpty() || key.length() > MAX_CONFIGURATION_KEY) {
            violations.add(
                "configuration", "must have keys of 1 to " + MAX_CONFIGURATION_KEY + " characters");
          } else if (value == null || value.length() > MAX_CONFIGURATION_VALUE) {
            violations.add(
                "configuration." + key,
                "must be a text of at most " + MAX_CONFIGURATION_VALUE + " characters");
          }
        });
  }

  /** Only for a draft that was checked. */
  public ProxySettings toSettings() {
    return new ProxySettings(
        new ResourceName(name),
        destinationUrl,
        requireAuth == null || requireAuth,
        Optional.ofNullable(applicationId));
  }
}
