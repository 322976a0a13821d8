package io.tokenvault.engine.expression.json;

import io.tokenvault.engine.expression.text.ExpressionScanner;
import io.tokenvault.engine.expression.text.TextScanner;
import java.util.BitSet;

/**
 * Scans the string values of JSON, unescaped. Property names are ignored. Characters outside of
 * strings are scanned too, so that malformed JSON cannot hide an expression: in valid JSON, the
 * only adjacent braces there are closing ones or a pair that opens and closes.
 */
public final class JsonScanner implements ExpressionScanner {

  /**
   * Nesting depth beyond which property names are scanned like values; no such body is replaced.
   */
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

  /** Consumes a character of a string. */
  private boolean string(char next) {
    escaped = next == '\\';
    return !escaped && character(next);
  }

  /** Scans an unescaped character unless it belongs to a property name. */
  private boolean character(char next) {
    return content.sees(next) && !(nameIsNext && depth <= MAX_DEPTH);
  }

  /**
   * Consumes the character after a backslash. Other escape sequences than Unicode ones stand for no
   * brace.
   */
  private boolean escape(char next) {
    escaped = false;
    if (next == 'u') {
      digitsLeft = UNICODE_DIGITS;
      unicode = 0;
      return false;
    }
    return character(next);
  }

  /** Consumes a digit of a Unicode escape sequence. */
  private boolean digit(char next) {
    unicode = unicode * 16 + Math.max(0, Character.digit(next, 16));
    digitsLeft--;
    return digitsLeft == 0 && character((char) unicode);
  }

  /** Consumes a character outside of strings. */
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

  /** Enters an object or an array. */
  private void enter(boolean object) {
    depth++;
    nameIsNext = object;
    if (depth <= MAX_DEPTH) {
      objects.set(depth, object);
    }
  }
}
