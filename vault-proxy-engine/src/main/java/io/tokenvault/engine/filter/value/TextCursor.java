package io.tokenvault.engine.filter.value;

import java.util.function.IntPredicate;

/** A place in a text that is being read. */
public final class TextCursor {

  private final String text;
  private int position;

  public TextCursor(String text) {
    this.text = text;
  }

  public boolean atEnd() {
    return position == text.length();
  }

  /** The character here; NUL at the end. */
  public char peek() {
    return atEnd() ? 0 : text.charAt(position);
  }

  /** Steps over a character if it is here. */
  public boolean take(char expected) {
    if (atEnd() || peek() != expected) {
      return false;
    }
    position++;
    return true;
  }

  /** The same after whitespace, which is stepped over in any case. */
  public boolean takeNext(char expected) {
    skipSpace();
    return take(expected);
  }

  public void skipSpace() {
    takeWhile(Character::isWhitespace);
  }

  public String takeWhile(IntPredicate wanted) {
    int start = position;
    while (!atEnd() && wanted.test(text.codePointAt(position))) {
      position += Character.charCount(text.codePointAt(position));
    }
    return text.substring(start, position);
  }

  /** A string in single or double quotes, in which nothing is escaped. */
  public String quoted() {
    char quote = text.charAt(position++);
    int end = text.indexOf(quote, position);
    if (end < 0) {
      throw new ExpressionException("a text is not closed by its quote");
    }
    String content = text.substring(position, end);
    position = end + 1;
    return content;
  }

  public int position() {
    return position;
  }

  public void back(int earlier) {
    position = earlier;
  }
}
