package io.tokenvault.engine.forward;

import java.util.Objects;
import java.util.Optional;

/**
 * What connections are made with.
 *
 * @param forwardProxy through which all of them go; empty: destinations are dialled
 */
public record Network(
    Resolver resolver,
    Trust trust,
    ClientCertificates clientCertificates,
    Optional<ForwardProxy> forwardProxy) {

  public Network {
    Objects.requireNonNull(resolver, "resolver");
    Objects.requireNonNull(trust, "trust");
    Objects.requireNonNull(clientCertificates, "clientCertificates");
    Objects.requireNonNull(forwardProxy, "forwardProxy");
  }
}
