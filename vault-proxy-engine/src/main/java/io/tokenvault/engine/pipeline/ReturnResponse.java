package io.tokenvault.engine.pipeline;

import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.engine.exchange.Exchange;
import io.tokenvault.engine.exchange.HeaderRules;
import io.tokenvault.ports.api.ProxyResponse;
import io.tokenvault.ports.api.ServiceHeaders;
import java.util.List;

/**
 * Turns a destination's response into the caller's: filters its headers and adds the header that
 * marks the status as the destination's.
 */
public final class ReturnResponse implements Step {

  private final HeaderRules rules;
  private final ServiceHeaders names;

  public ReturnResponse(HeaderRules rules, ServiceHeaders names) {
    this.rules = rules;
    this.names = names;
  }

  @Override
  public String name() {
    return "ReturnResponse";
  }

  @Override
  public void apply(Exchange exchange) {
    ProxyResponse answer = exchange.answer().orElseThrow();
    List<HeaderField> fields = rules.returned(answer.headers());
    fields.add(new HeaderField(names.destinationStatus(), String.valueOf(answer.status())));
    exchange.setAnswer(
        new ProxyResponse(answer.status(), fields, answer.body(), answer.bodyLength()));
  }
}
