package io.tokenvault.engine.expression.template;

import io.tokenvault.engine.filter.ExpressionException;
import io.tokenvault.engine.filter.FilterChain;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The content between <code>{{</code> and <code>}}</code>: a reference to data, and the filters
 * applied to it. At most 4 KiB in UTF-8.
 *
 * <pre>{@code
 * Expression expression = Expression.ofToken("26818785 | reveal_last: 4");
 * expression.head(); // "26818785"
 * }</pre>
 *
 * @param head the text up to the first bar, without surrounding whitespace
 * @param filters applied in order; empty if there are none
 */
public record Expression(String head, Optional<FilterChain> filters) {

  private static final int MAX_BYTES = 4 * 1024;

  /** The most bytes that a UTF-16 unit takes in UTF-8. */
  private static final int MAX_BYTES_OF_CHAR = 3;

  private static final char BAR = '|';

  /**
   * Parses an expression over a token.
   *
   * @throws ExpressionException if it is invalid, names no token, or has a filter argument that is
   *     not a literal
   */
  public static Expression ofToken(String inner) {
    Expression expression = ofData(inner);
    expression.filters.ifPresent(FilterChain::requireLiterals);
    if (expression.head.isEmpty()) {
      throw new ExpressionException("an expression names no token");
    }
    return expression;
  }

  /**
   * Parses an expression over named values, in which filter arguments may be names.
   *
   * @throws ExpressionException if it is invalid
   */
  public static Expression ofData(String inner) {
    int filterStart = filterStart(inner);
    Optional<FilterChain> filters =
        filterStart == inner.length()
            ? Optional.empty()
            : Optional.of(FilterChain.parse(inner.substring(filterStart)));
    return new Expression(inner.substring(0, filterStart).strip(), filters);
  }

  /**
   * Returns the index at which the filters start, or the length of the text if there are none.
   *
   * @throws ExpressionException if the text is too long or contains a lone surrogate
   */
  public static int filterStart(String inner) {
    if (inner.length() > MAX_BYTES / MAX_BYTES_OF_CHAR
        && inner.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
      throw new ExpressionException("an expression may be at most 4 KiB long");
    }
    int character;
    for (int i = 0; i < inner.length(); i += Character.charCount(character)) {
      character = inner.codePointAt(i);
      if (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE) {
        throw new ExpressionException("an expression contains a lone surrogate");
      }
    }
    int bar = inner.indexOf(BAR);
    return bar < 0 ? inner.length() : bar;
  }

  /** Returns whether the expression has no filters. */
  public boolean isPlain() {
    return filters.isEmpty();
  }

  /** Returns a fixed text: token ids and arguments can be secret. */
  @Override
  public String toString() {
    return "Expression[redacted]";
  }
}
