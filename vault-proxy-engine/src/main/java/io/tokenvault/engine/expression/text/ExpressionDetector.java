package io.tokenvault.engine.expression.text;

/**
 * Detects expressions in text that is streamed and not kept. An instance serves one body and one
 * thread. {@code expression.template} parses expressions.
 */
public interface ExpressionDetector {

  /** Scans the next character and returns whether it completes an expression. */
  boolean sees(char next);
}
