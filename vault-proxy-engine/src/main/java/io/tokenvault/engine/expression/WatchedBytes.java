package io.tokenvault.engine.expression;

/** Looks for an expression in bytes that pass by. For one body and one thread. */
public interface WatchedBytes {

  /** Whether these bytes complete an expression. */
  boolean see(byte[] bytes, int offset, int length);
}
