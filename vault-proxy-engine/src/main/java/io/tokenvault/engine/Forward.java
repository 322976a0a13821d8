package io.tokenvault.engine;

import io.tokenvault.engine.forward.Forwarder;
import io.tokenvault.engine.forward.OutgoingRequest;

/** Sends the request, once. */
final class Forward implements Step {

  private final Forwarder forwarder;

  Forward(Forwarder forwarder) {
    this.forwarder = forwarder;
  }

  @Override
  public Exchange apply(Exchange exchange) {
    return exchange.with(
        forwarder.send(
            new OutgoingRequest(
                exchange.call().method(),
                exchange.destination(),
                exchange.target().path(),
                exchange.target().query(),
                exchange.headers(),
                exchange.body().take()),
            exchange.call().caller()));
  }
}
