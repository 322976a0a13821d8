package io.tokenvault.engine.expression.json;

import io.tokenvault.engine.expression.text.ExpressionScanner;
import io.tokenvault.engine.expression.text.TextScanner;
import java.util.BitSet;

/**
 * Watches the strings of JSON that are no names, unescaped. What stands outside of strings counts
 * too, so that what is not JSON smuggles no expression through: JSON has no two braces in a row
 * there but closing ones.
 */
public final class JsonScanner implements ExpressionScanner {

  /** Deeper in, names count as well: no such body is replaced. */
  private static final int MAX_DEPTH = 10_000;

  private static final int UNICODE_DIGITS = 4;

  private final TextScanner content = new TextScanner();
  private final TextScanner outside = new TextScanner();
  private final BitSet objects = new BitSet();
  private int depth;
  private boolean nameIsNext;
  private boolean inString;
  private boolean escaped;
  private int digitsLeft;
  private int unicode;

  @Override
  public boolean sees(char next) {
    if (digitsLeft > 0) {
      return digit(next);
    }
    if (escaped) {
      return escape(next);
    }
    if (next == '"') {
      inString = !inString;
      content.reset();
      return outside.sees(next);
    }
    return inString ? string(next) : structure(next);
  }

  private boolean string(char next) {
    escaped = next == '\\';
    return !escaped && character(next);
  }

  private boolean character(char next) {
    return content.sees(next) && !(nameIsNext && depth <= MAX_DEPTH);
  }

  private boolean escape(char next) {
    escaped = false;
    if (next == 'u') {
      digitsLeft = UNICODE_DIGITS;
      unicode = 0;
      return false;
    }
    return character(next);
  }

  private boolean digit(char next) {
    unicode = unicode * 16 + Math.max(0, Character.digit(next, 16));
    digitsLeft--;
    return digitsLeft == 0 && character((char) unicode);
  }

  private boolean structure(char next) {
    switch (next) {
      case '{', '[' -> enter(next == '{');
      case '}', ']' -> depth = Math.max(0, depth - 1);
      case ':' -> nameIsNext = false;
      case ',' -> nameIsNext = depth <= MAX_DEPTH && objects.get(depth);
      default -> {}
    }
    return outside.sees(next);
  }

  private void enter(boolean object) {
    depth++;
    nameIsNext = object;
    if (depth <= MAX_DEPTH) {
      objects.set(depth, object);
    }
  }
}
