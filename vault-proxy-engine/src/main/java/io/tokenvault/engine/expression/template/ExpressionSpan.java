package io.tokenvault.engine.expression.template;

import java.util.Optional;

/**
 * The position of an expression in a text.
 *
 * @param start index of the opening braces
 * @param end index after the closing braces
 */
public record ExpressionSpan(int start, int end) {

  private static final String OPEN = "{{";
  private static final String CLOSE = "}}";

  /**
   * Returns the first expression at or after an index. Opening braces that are never closed, and
   * braces with only whitespace between them, are text.
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

  /** Returns whether the text consists of the expression only. */
  public boolean covers(CharSequence text) {
    return start == 0 && end == text.length();
  }

  /** Returns the index after the opening braces. */
  public int innerStart() {
    return start + OPEN.length();
  }

  /** Returns the index of the closing braces. */
  public int innerEnd() {
    return end - CLOSE.length();
  }
}
