package io.tokenvault.engine.expression;

/** Watches the names and values of a form, percent-decoded. */
final class FormWatch implements ExpressionWatch {

  private final TextWatch content = new TextWatch();
  private int digitsLeft;
  private int value;
  private boolean inName = true;

  @Override
  public boolean sees(char next) {
    if (digitsLeft > 0) {
      return digit(next);
    }
    if (next == '%') {
      digitsLeft = 2;
      value = 0;
      return false;
    }
    if (next == '&' || (next == '=' && inName)) {
      inName = next == '&';
      content.reset();
      return false;
    }
    return content.sees(next == '+' ? ' ' : next);
  }

  private boolean digit(char next) {
    int digit = Character.digit(next, 16);
    if (digit < 0) {
      digitsLeft = 0;
      return content.sees('%') || sees(next);
    }
    value = value * 16 + digit;
    digitsLeft--;
    return digitsLeft == 0 && content.sees((char) value);
  }
}
