package io.tokenvault.engine.expression.template;

/**
 * Writes the result of an expression so that it fits the place where the expression was, for
 * example with the escape sequences of its syntax.
 */
@FunctionalInterface
public interface Placement {

  /** Writes the result as unescaped text. */
  Placement TEXT = TokenValues::text;

  /**
   * Returns the result of an expression, escaped for the place.
   *
   * @throws io.tokenvault.domain.failure.ValidationException if the result cannot be written there
   */
  String write(TokenValues values, Expression expression);
}
