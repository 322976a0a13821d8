package io.tokenvault.engine.expression.template;

import io.tokenvault.engine.filter.FilterChain;
import io.tokenvault.engine.filter.value.ExpressionException;
import java.nio.charset.StandardCharsets;

/**
 * What stands between <code>{{</code> and <code>}}</code>: what is meant, and how it is filtered.
 *
 * @param head up to the first bar, trimmed
 */
public record Expression(String head, FilterChain filters) {

  private static final int MAX_BYTES = 4 * 1024;
  private static final char BAR = '|';

  /**
   * Reads an expression over a token.
   *
   * @param inner the text between the braces
   * @throws ExpressionException if it is wrong
   */
  public static Expression ofToken(String inner) {
    Expression expression = ofData(inner);
    expression.filters.requireLiterals();
    if (expression.head.isEmpty()) {
      throw new ExpressionException("an expression names no token");
    }
    return expression;
  }

  /** Reads an expression over named values; otherwise like {@link #ofToken}. */
  public static Expression ofData(String inner) {
    int bar = bar(inner);
    FilterChain filters =
        bar == inner.length() ? FilterChain.none() : FilterChain.parse(inner.substring(bar));
    return new Expression(inner.substring(0, bar).strip(), filters);
  }

  /**
   * Where the filters begin, which is the end if there are none.
   *
   * @throws ExpressionException if the text is too long, or no text
   */
  public static int bar(String inner) {
    byte[] bytes = inner.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MAX_BYTES) {
      throw new ExpressionException("an expression may be at most 4 KiB long");
    }
    if (inner.codePoints().anyMatch(Expression::isSurrogate)) {
      throw new ExpressionException("an expression holds half of a character");
    }
    int bar = inner.indexOf(BAR);
    return bar < 0 ? inner.length() : bar;
  }

  private static boolean isSurrogate(int character) {
    return Character.getType(character) == Character.SURROGATE;
  }

  public boolean isPlain() {
    return filters.isEmpty();
  }

  @Override
  public String toString() {
    return "Expression[redacted]";
  }
}
