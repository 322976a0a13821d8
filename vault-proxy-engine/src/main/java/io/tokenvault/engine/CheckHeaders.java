package io.tokenvault.engine;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.ports.api.HeaderNames;
import java.util.List;

/** Lets only headers pass that may go to a destination, whatever put them there. */
final class CheckHeaders implements Step {

  private final HeaderRules rules;

  CheckHeaders(HeaderRules rules) {
    this.rules = rules;
  }

  @Override
  public String name() {
    return "CheckHeaders";
  }

  @Override
  public Exchange apply(Exchange exchange) {
    List<HeaderField> passing = rules.outgoing(exchange.headers());
    passing.forEach(CheckHeaders::requireOneLine);
    return exchange.with(passing);
  }

  private static void requireOneLine(HeaderField field) {
    if (HeaderNames.splits(field.value())) {
      throw ValidationException.of(
          "error", "The value of a header must not hold line breaks or NUL.");
    }
  }
}
