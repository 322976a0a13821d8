package io.tokenvault.engine.expression.template;

/** How what an expression yields is written where it stood. */
@FunctionalInterface
public interface Placement {

  /** As text as it is. */
  Placement TEXT = TokenValues::text;

  String write(TokenValues values, Expression expression);
}
