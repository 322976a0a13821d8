package io.tokenvault.engine.expression.text;

/** Looks for an expression in text that passes by and is not kept. For one body and one thread. */
public interface ExpressionScanner {

  /** Whether this character completes an expression. */
  boolean sees(char next);
}
