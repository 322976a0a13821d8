package io.tokenvault.engine;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Bytes that come in pieces, and are put together once. */
final class HeldChunks {

  private static final int CHUNK = 64 * 1024;

  private final List<byte[]> chunks = new ArrayList<>();
  private int size;

  /**
   * Reads to the end.
   *
   * @param limit in bytes
   * @param memory is asked for what comes
   * @return empty if there is more
   */
  static Optional<byte[]> readAll(InputStream content, int limit, HeldBodies.Reservation memory)
      throws IOException {
    HeldChunks held = new HeldChunks();
    while (held.size() <= limit) {
      byte[] chunk = content.readNBytes(Math.min(CHUNK, limit + 1 - held.size()));
      if (chunk.length == 0) {
        return Optional.of(held.join());
      }
      memory.hold(chunk.length);
      held.add(chunk);
    }
    return Optional.empty();
  }

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
