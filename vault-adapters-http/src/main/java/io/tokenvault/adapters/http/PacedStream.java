package io.tokenvault.adapters.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A body that ends with a failure where it comes too slowly. */
final class PacedStream extends FilterInputStream {

  private final Pace pace;

  PacedStream(InputStream body, Pace pace) {
    super(body);
    this.pace = pace;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    long start = System.nanoTime();
    int count = super.read(buffer, offset, length);
    pace.note(System.nanoTime() - start, count);
    return count;
  }
}
