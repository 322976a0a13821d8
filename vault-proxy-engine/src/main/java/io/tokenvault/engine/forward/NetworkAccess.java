package io.tokenvault.engine.forward;

import io.tokenvault.engine.forward.egress.HostResolver;
import io.tokenvault.engine.forward.tunnel.ForwardProxy;
import java.util.Objects;
import java.util.Optional;

/**
 * Dependencies for establishing connections.
 *
 * @param resolver finds the addresses of host names
 * @param trust authorities whose certificates destinations may have
 * @param clientCertificates certificates that destinations may request
 * @param forwardProxy proxy for all connections; empty for direct connections
 */
public record NetworkAccess(
    HostResolver resolver,
    TrustedAuthorities trust,
    ClientCertificates clientCertificates,
    Optional<ForwardProxy> forwardProxy) {

  public NetworkAccess {
    Objects.requireNonNull(resolver, "resolver");
    Objects.requireNonNull(trust, "trust");
    Objects.requireNonNull(clientCertificates, "clientCertificates");
    Objects.requireNonNull(forwardProxy, "forwardProxy");
  }
}
