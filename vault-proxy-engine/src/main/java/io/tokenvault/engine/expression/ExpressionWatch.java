package io.tokenvault.engine.expression;

/** Looks for an expression in text that passes by and is not kept. For one body and one thread. */
interface ExpressionWatch {

  /** Whether this character completes an expression. */
  boolean sees(char next);
}
