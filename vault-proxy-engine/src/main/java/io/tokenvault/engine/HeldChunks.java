package io.tokenvault.engine;

import java.util.ArrayList;
import java.util.List;

/** Bytes that come in pieces, and are put together once. */
final class HeldChunks {

  private final List<byte[]> chunks = new ArrayList<>();
  private int size;

  void add(byte[] chunk) {
    chunks.add(chunk);
    size += chunk.length;
  }

  int size() {
    return size;
  }

  byte[] join() {
    byte[] joined = new byte[size];
    int at = 0;
    for (byte[] chunk : chunks) {
      System.arraycopy(chunk, 0, joined, at, chunk.length);
      at += chunk.length;
    }
    return joined;
  }
}
