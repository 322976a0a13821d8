package io.tokenvault.engine.filter;

import java.util.function.IntPredicate;

/**
 * A position in a text that is being parsed.
 *
 * <pre>{@code
 * TextCursor cursor = new TextCursor("'a b' | upcase");
 * String content = cursor.quoted(); // a b
 * boolean hasFilter = cursor.takeNext('|');
 * }</pre>
 */
public final class TextCursor {

  private final String text;
  private int position;

  public TextCursor(String text) {
    this.text = text;
  }

  public boolean atEnd() {
    return position == text.length();
  }

  /** Returns the character at this position; NUL at the end. */
  public char peek() {
    return atEnd() ? 0 : text.charAt(position);
  }

  /** Consumes the character at this position, which must not be the end, and returns it. */
  public char next() {
    return text.charAt(position++);
  }

  /** Consumes a character if it is the expected one. */
  public boolean take(char expected) {
    if (atEnd() || peek() != expected) {
      return false;
    }
    position++;
    return true;
  }

  /** Skips whitespace, then consumes a character if it is the expected one. */
  public boolean takeNext(char expected) {
    skipSpace();
    return take(expected);
  }

  public void skipSpace() {
    takeWhile(Character::isWhitespace);
  }

  /** Consumes code points as long as they match. */
  public String takeWhile(IntPredicate wanted) {
    int start = position;
    while (!atEnd() && wanted.test(text.codePointAt(position))) {
      position += Character.charCount(text.codePointAt(position));
    }
    return text.substring(start, position);
  }

  /**
   * Consumes a string in single or double quotes, without escape sequences, and returns its
   * content.
   *
   * @throws ExpressionException if the closing quote is missing
   */
  public String quoted() {
    char quote = next();
    int end = text.indexOf(quote, position);
    if (end < 0) {
      throw new ExpressionException("a string has no closing quote");
    }
    String content = text.substring(position, end);
    position = end + 1;
    return content;
  }

  public int position() {
    return position;
  }

  /** Returns to an earlier position. */
  public void back(int earlier) {
    position = earlier;
  }
}
