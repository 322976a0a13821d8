package io.tokenvault.engine;

import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.engine.expression.TokenValues;
import io.tokenvault.engine.filter.FilterChain;
import io.tokenvault.ports.usecase.ProxyInvocations;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Records the invocation, and then replaces expressions in all places at once. Nothing that comes
 * before it knows a token's data, and nothing after it runs unless the record is durable.
 */
final class Detokenize implements Step {

  private final ProxyInvocations invocations;
  private final HeaderRules rules;
  private final DetokenizeHeader header;

  Detokenize(ProxyInvocations invocations, HeaderRules rules, DetokenizeHeader header) {
    this.invocations = invocations;
    this.rules = rules;
    this.header = header;
    FilterChain.warmUp();
  }

  @Override
  public String name() {
    return "Detokenize";
  }

  @Override
  public Exchange apply(Exchange exchange) {
    List<HeaderField> fields =
        rules.outgoing(exchange.call().headers()).stream().map(HeaderBytes::decode).toList();
    return header.asksFor(exchange) ? replace(exchange, fields) : leave(exchange, fields);
  }

  private Exchange leave(Exchange exchange, List<HeaderField> fields) {
    invocations.begin(exchange.admission(), exchange.destination(), Set.of(), exchange.memory());
    return exchange.with(fields).recorded();
  }

  private Exchange replace(Exchange exchange, List<HeaderField> fields) {
    Body body = exchange.body();
    Optional<Templates.HeldText> held =
        body.held().map(kind -> new Templates.HeldText(body.takeBytes(), kind));
    Templates templates = Templates.read(exchange.target(), fields, held, exchange.memory());
    TokenValues values =
        new TokenValues(
            invocations.begin(
                exchange.admission(),
                exchange.destination(),
                templates.tokenIds(),
                exchange.memory()),
            exchange.memory());
    return fill(exchange.recorded(), templates, values, held);
  }

  /** Replaces all expressions. */
  static Exchange fill(
      Exchange exchange,
      Templates templates,
      TokenValues values,
      Optional<Templates.HeldText> held) {
    Optional<byte[]> replaced = templates.body(values);
    Optional<Body> body =
        replaced.or(() -> held.map(Templates.HeldText::bytes)).map(Body::complete);
    Exchange filled =
        exchange
            .with(templates.target(values))
            .with(templates.headers(values))
            .with(body.orElseGet(exchange::body));
    HeldBodies.Reservation memory = exchange.memory();
    replaced.ifPresentOrElse(bytes -> memory.endWorkWith(bytes.length), memory::endWork);
    return filled;
  }
}
