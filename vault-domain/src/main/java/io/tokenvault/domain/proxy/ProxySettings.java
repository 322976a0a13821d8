package io.tokenvault.domain.proxy;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.tenant.ResourceName;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What an update of a proxy replaces, apart from its configuration, which is kept sealed.
 *
 * @param destinationUrl as it was written; {@link Destination#parse} accepts it
 * @param requireAuth whether an API key is needed to invoke the proxy
 * @param timeout how long to wait for the first byte of an answer; empty: as long as the operator
 *     says
 * @param clientCertificate the name of the certificate that is shown to the destination; empty:
 *     none
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
