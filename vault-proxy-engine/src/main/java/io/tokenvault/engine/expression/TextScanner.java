package io.tokenvault.engine.expression;

import io.tokenvault.engine.expression.CharsetScanner.ExpressionDetector;

/** Scans text in which braces have no escape sequences. */
final class TextScanner implements ExpressionDetector {

  private char previous;
  private boolean open;
  private boolean blank;

  @Override
  public boolean scan(char next) {
    if (!open) {
      advanceOutside(next);
      return false;
    }
    return advanceInside(next);
  }

  /** Consumes a character outside of braces. */
  private void advanceOutside(char next) {
    if (previous == '{' && next == '{') {
      open = true;
      blank = true;
      previous = 0;
    } else {
      previous = next;
    }
  }

  /**
   * Consumes a character after opening braces; braces with only whitespace between them are text.
   */
  private boolean advanceInside(char next) {
    if (previous == '}' && next == '}') {
      boolean complete = !blank;
      reset();
      return complete;
    }
    if (previous != 0 && !Character.isWhitespace(previous)) {
      blank = false;
    }
    previous = next;
    return false;
  }

  /** Discards opening braces: no expression continues beyond this point. */
  void reset() {
    open = false;
    previous = 0;
  }
}
