package io.tokenvault.engine.pipeline;

import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.engine.exchange.Exchange;
import io.tokenvault.engine.exchange.HeaderRules;
import io.tokenvault.engine.forward.Forwarder;
import io.tokenvault.engine.forward.OutgoingRequest;
import io.tokenvault.ports.api.CallerPresence;
import io.tokenvault.ports.api.ProxyAnswer;
import java.util.Optional;
import java.util.function.Function;

/**
 * Sends the request, once. Only headers pass that may go to a destination, whatever put them there.
 */
public final class Forward implements Step {

  /** Sends a request. */
  public interface Sender {
    ProxyAnswer send(OutgoingRequest request, CallerPresence caller);
  }

  private final Sender sender;
  private final Function<Proxy, Optional<String>> certificates;
  private final HeaderRules rules;

  /**
   * @param certificates by proxy, which client certificate the destination may ask for
   */
  public Forward(Sender sender, Function<Proxy, Optional<String>> certificates, HeaderRules rules) {
    this.sender = sender;
    this.certificates = certificates;
    this.rules = rules;
  }

  @Override
  public String name() {
    return "Forward";
  }

  @Override
  public void apply(Exchange exchange) {
    Optional<Proxy> proxy = exchange.invoked().proxy();
    exchange.setAnswer(
        sender.send(
            new OutgoingRequest(
                exchange.call().method(),
                exchange.destination(),
                exchange.target().path(),
                exchange.target().query(),
                rules.outgoing(exchange.headers()),
                exchange.body().take(),
                proxy.flatMap(each -> each.settings().timeout()),
                proxy.flatMap(certificates)),
            exchange.call().caller()));
  }

  /** What the tenant's proxy names may be gone by now, or be another tenant's. */
  public static Optional<String> clientCertificate(Proxy proxy, EgressPolicy policy) {
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
