package io.tokenvault.engine.filter.value;

/**
 * An expression is wrong, or fails on its value. The message is meant for the caller, and holds
 * nothing of the value and nothing of the expression; there is never a cause, which could.
 */
public class ExpressionException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public ExpressionException(String message) {
    super(message, null, false, false);
  }
}
