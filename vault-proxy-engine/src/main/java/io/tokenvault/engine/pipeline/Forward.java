package io.tokenvault.engine.pipeline;

import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.engine.exchange.Exchange;
import io.tokenvault.engine.exchange.HeaderRules;
import io.tokenvault.engine.forward.Forwarder;
import io.tokenvault.engine.forward.OutgoingRequest;
import io.tokenvault.ports.api.CallerPresence;
import io.tokenvault.ports.api.ProxyResponse;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Sends the request, once. Headers are filtered again just before, so that those which an
 * expression or a transform has added are subject to the rules too.
 */
public final class Forward implements Consumer<Exchange> {

  /** Sends a request to its destination. */
  public interface Sender {
    /**
     * Sends a request and returns the destination's response, whose body is not read yet.
     *
     * @param caller cancels the exchange when the caller disconnects
     */
    ProxyResponse send(OutgoingRequest request, CallerPresence caller);
  }

  private final Sender sender;
  private final Function<Proxy, Optional<String>> certificates;
  private final HeaderRules rules;

  /**
   * Creates the step.
   *
   * @param certificates returns the name of the client certificate that a proxy's destination may
   *     request
   */
  public Forward(Sender sender, Function<Proxy, Optional<String>> certificates, HeaderRules rules) {
    this.sender = sender;
    this.certificates = certificates;
    this.rules = rules;
  }

  @Override
  public void accept(Exchange exchange) {
    Optional<Proxy> proxy = exchange.invoked().proxy();
    exchange.setResponse(
        sender.send(
            new OutgoingRequest(
                exchange.call().method(),
                exchange.destination(),
                exchange.target().path(),
                exchange.target().query(),
                rules.toDestination(exchange.headers()),
                exchange.body().take(),
                proxy.flatMap(each -> each.settings().timeout()),
                proxy.flatMap(certificates)),
            exchange.call().caller()));
  }

  /**
   * Returns the client certificate that a proxy names, checked at each use: since the proxy was
   * created, it may have been removed or assigned to another tenant.
   *
   * @throws io.tokenvault.domain.failure.VaultException if the tenant may not use it
   */
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
