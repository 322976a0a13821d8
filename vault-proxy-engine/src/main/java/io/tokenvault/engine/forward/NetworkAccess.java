package io.tokenvault.engine.forward;

import io.tokenvault.engine.forward.egress.HostResolver;
import io.tokenvault.engine.forward.tunnel.ForwardProxy;
import java.util.Objects;
import java.util.Optional;

/**
 * What connections are made with.
 *
 * @param forwardProxy through which all of them go; empty: destinations are dialled
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
