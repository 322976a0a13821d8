package io.tokenvault.engine.expression.text;

/** Looks for an expression in bytes that pass by. For one body and one thread. */
public interface ByteScanner {

  /** Whether these bytes complete an expression. */
  boolean see(byte[] bytes, int offset, int length);
}
