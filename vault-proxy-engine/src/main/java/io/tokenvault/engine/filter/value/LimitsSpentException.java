package io.tokenvault.engine.filter.value;

/** The expressions of a template, or of a request, used up what all of them may have together. */
public final class LimitsSpentException extends ExpressionException {

  private static final long serialVersionUID = 1L;

  LimitsSpentException(String message) {
    super(message);
  }
}
