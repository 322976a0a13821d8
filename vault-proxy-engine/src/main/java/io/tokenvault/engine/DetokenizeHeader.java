package io.tokenvault.engine;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.ports.api.ServiceHeaders;
import java.util.List;

/** Reads the header by which a caller has all braces left as they are. */
final class DetokenizeHeader {

  private final String name;

  DetokenizeHeader(ServiceHeaders names) {
    this.name = names.detokenize();
  }

  /**
   * Whether expressions are replaced: for a caller that may use tokens, unless it asks not to.
   *
   * @throws ValidationException if the header says anything but on or off
   */
  boolean asksFor(Exchange exchange) {
    boolean off = isOff(exchange.call().headers());
    return exchange.admission().mayUseTokens() && !off;
  }

  /**
   * Whether it says that all braces stay.
   *
   * @throws ValidationException if the header says anything but on or off
   */
  boolean isOff(List<HeaderField> headers) {
    boolean off = false;
    for (HeaderField field : headers) {
      if (field.is(name)) {
        if (!isOff(field.value()) && !field.value().equalsIgnoreCase("on")) {
          throw ValidationException.of("error", "The header " + name + " is on or off.");
        }
        off |= isOff(field.value());
      }
    }
    return off;
  }

  private static boolean isOff(String value) {
    return value.equalsIgnoreCase("off");
  }
}
