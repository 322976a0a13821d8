package io.tokenvault.engine.expression.text;

/** Watches text in which braces stand for themselves. */
public final class TextScanner implements ExpressionScanner {

  private char previous;
  private boolean open;
  private boolean blank;

  @Override
  public boolean sees(char next) {
    if (!open) {
      advanceOutside(next);
      return false;
    }
    return advanceInside(next);
  }

  private void advanceOutside(char next) {
    if (previous == '{' && next == '{') {
      open = true;
      blank = true;
      previous = 0;
    } else {
      previous = next;
    }
  }

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

  /** Forgets what was open: no expression goes on beyond here. */
  public void reset() {
    open = false;
    previous = 0;
  }
}
