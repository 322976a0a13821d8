package io.tokenvault.engine.expression;

/** Watches the strings of JSON, unescaped. */
final class JsonWatch implements ExpressionWatch {

  private static final int UNICODE_DIGITS = 4;

  private final TextWatch content = new TextWatch();
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
      return false;
    }
    if (inString && next == '\\') {
      escaped = true;
      return false;
    }
    // Outside strings too: what is not JSON must not smuggle an expression through.
    return content.sees(next);
  }

  private boolean escape(char next) {
    escaped = false;
    if (next == 'u') {
      digitsLeft = UNICODE_DIGITS;
      unicode = 0;
      return false;
    }
    return content.sees(next);
  }

  private boolean digit(char next) {
    unicode = unicode * 16 + Math.max(0, Character.digit(next, 16));
    digitsLeft--;
    return digitsLeft == 0 && content.sees((char) unicode);
  }
}
