package io.tokenvault.engine.filter.value;

/** Thrown if the expressions of a template or a request exceed the limits that they share. */
public final class LimitsSpentException extends ExpressionException {

  private static final long serialVersionUID = 1L;

  LimitsSpentException(String message) {
    super(message);
  }
}
