package io.tokenvault.engine.filter;

/**
 * Thrown if an expression is invalid or cannot be evaluated. The message is returned to callers,
 * and quotes neither the value nor the expression. There is never a cause, which could quote them,
 * nor a stack trace.
 */
public class ExpressionException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param message a text for callers, without data
   */
  public ExpressionException(String message) {
    super(message, null, false, false);
  }
}
