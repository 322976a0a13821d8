package io.tokenvault.engine.expression;

/** How what an expression yields is written where it stood. */
@FunctionalInterface
interface Place {

  /** As text as it is. */
  Place TEXT = TokenValues::text;

  String write(TokenValues values, Expression expression);
}
