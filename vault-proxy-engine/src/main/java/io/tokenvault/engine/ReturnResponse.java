package io.tokenvault.engine;

import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.ports.api.ProxyAnswer;
import io.tokenvault.ports.api.ServiceHeaders;
import java.util.ArrayList;
import java.util.List;

/** Turns a destination's answer into the caller's, and marks it as the destination's. */
final class ReturnResponse implements Step {

  private final HeaderRules rules;
  private final ServiceHeaders names;

  ReturnResponse(HeaderRules rules, ServiceHeaders names) {
    this.rules = rules;
    this.names = names;
  }

  @Override
  public String name() {
    return "ReturnResponse";
  }

  @Override
  public Exchange apply(Exchange exchange) {
    ProxyAnswer answer = exchange.answer().orElseThrow();
    List<HeaderField> fields = new ArrayList<>();
    rules.returning(answer.headers()).forEach(field -> fields.add(HeaderBytes.encode(field)));
    fields.add(new HeaderField(names.destinationStatus(), String.valueOf(answer.status())));
    return exchange.with(
        new ProxyAnswer(answer.status(), fields, answer.body(), answer.bodyLength()));
  }
}
