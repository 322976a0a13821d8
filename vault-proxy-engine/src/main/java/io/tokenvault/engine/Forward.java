package io.tokenvault.engine;

import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.engine.forward.Forwarder;
import io.tokenvault.engine.forward.OutgoingRequest;
import java.util.Optional;

/** Sends the request, once. */
final class Forward implements Step {

  private final Forwarder forwarder;
  private final EgressPolicy policy;

  Forward(Forwarder forwarder, EgressPolicy policy) {
    this.forwarder = forwarder;
    this.policy = policy;
  }

  @Override
  public String name() {
    return "Forward";
  }

  @Override
  public Exchange apply(Exchange exchange) {
    Optional<Proxy> proxy = exchange.admission().proxy();
    return exchange.with(
        forwarder.send(
            new OutgoingRequest(
                exchange.call().method(),
                exchange.destination(),
                exchange.target().path(),
                exchange.target().query(),
                exchange.headers(),
                exchange.body().take(),
                proxy.flatMap(each -> each.settings().timeout()),
                proxy.flatMap(this::clientCertificate)),
            exchange.call().caller()));
  }

  /** What the tenant's proxy names may be gone by now, or be another tenant's. */
  private Optional<String> clientCertificate(Proxy proxy) {
    return proxy
        .settings()
        .clientCertificate()
        .map(
            name ->
                policy
                    .clientCertificate(proxy.tenantId(), name)
                    .orElseThrow(Forwarder::unknownCertificate));
  }
}
