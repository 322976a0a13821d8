package io.tokenvault.engine.expression.template;

import java.util.Optional;

/**
 * Where an expression stands in a text.
 *
 * @param start of the opening braces
 * @param end after the closing braces
 */
public record ExpressionSpan(int start, int end) {

  private static final String OPEN = "{{";
  private static final String CLOSE = "}}";

  /**
   * The first expression at or after an index. Opening braces that are not closed, and braces with
   * nothing between them, are text.
   */
  public static Optional<ExpressionSpan> next(CharSequence text, int from) {
    String searched = text.toString();
    int open = searched.indexOf(OPEN, from);
    while (open >= 0) {
      int close = searched.indexOf(CLOSE, open + OPEN.length());
      if (close < 0) {
        return Optional.empty();
      }
      int end = close + CLOSE.length();
      if (!searched.substring(open + OPEN.length(), close).isBlank()) {
        return Optional.of(new ExpressionSpan(open, end));
      }
      open = searched.indexOf(OPEN, end);
    }
    return Optional.empty();
  }

  /** Whether the expression is all that there is. */
  public boolean covers(CharSequence text) {
    return start == 0 && end == text.length();
  }

  public int innerStart() {
    return start + OPEN.length();
  }

  public int innerEnd() {
    return end - CLOSE.length();
  }
}
