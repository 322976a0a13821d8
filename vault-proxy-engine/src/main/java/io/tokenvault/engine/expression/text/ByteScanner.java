package io.tokenvault.engine.expression.text;

/** Detects expressions in bytes that are streamed. An instance serves one body and one thread. */
public interface ByteScanner {

  /** Scans the next bytes and returns whether they complete an expression. */
  boolean see(byte[] bytes, int offset, int length);
}
