package io.tokenvault.domain.proxy;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.tenant.ResourceName;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * The properties of a proxy that an update replaces, without its configuration and transforms,
 * which are stored encrypted.
 *
 * @param destinationUrl as it was written; {@link Destination#parse} accepts it
 * @param requireAuth whether invocations need an API key
 * @param applicationId the application that transforms act as; empty for none
 * @param timeout how long to wait for the first byte of a response; empty for the operator's
 *     default
 * @param clientCertificate the name of the certificate presented to the destination; empty for none
 */
public record ProxySettings(
    ResourceName name,
    String destinationUrl,
    boolean requireAuth,
    Optional<ApplicationId> applicationId,
    Optional<Duration> timeout,
    Optional<String> clientCertificate) {

  public ProxySettings {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(destinationUrl, "destinationUrl");
    Objects.requireNonNull(applicationId, "applicationId");
    Objects.requireNonNull(timeout, "timeout");
    Objects.requireNonNull(clientCertificate, "clientCertificate");
  }
}
