package io.tokenvault.engine;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.ports.api.HeaderField;
import java.util.List;

/** Lets only headers pass that may go to a destination, whatever put them there. */
final class CheckHeaders implements Step {

  private static final String SPLITTING = "\r\n\0";

  private final HeaderRules rules;

  CheckHeaders(HeaderRules rules) {
    this.rules = rules;
  }

  @Override
  public Exchange apply(Exchange exchange) {
    List<HeaderField> passing = rules.outgoing(exchange.headers());
    passing.forEach(CheckHeaders::requireOneLine);
    return exchange.with(passing);
  }

  private static void requireOneLine(HeaderField field) {
    if (field.value().chars().anyMatch(each -> SPLITTING.indexOf(each) >= 0)) {
      throw ValidationException.of(
          "error", "The value of a header must not hold line breaks or NUL.");
    }
  }
}
