package io.tokenvault.engine.expression;

import io.tokenvault.domain.failure.ValidationException;
import java.nio.charset.StandardCharsets;

/** What stands between <code>{{</code> and <code>}}</code>. */
final class Expression {

  private static final int MAX_BYTES = 4 * 1024;

  private Expression() {}

  /**
   * The token that an expression names.
   *
   * @param inner the text between the braces
   * @throws ValidationException if it is too long or more than an id
   */
  static String tokenId(String inner) {
    if (inner.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
      throw ValidationException.of("error", "An expression may be at most 4 KiB long.");
    }
    if (inner.indexOf('|') >= 0) {
      throw ValidationException.of("error", "Filters in expressions are not supported yet.");
    }
    return inner.strip();
  }
}
