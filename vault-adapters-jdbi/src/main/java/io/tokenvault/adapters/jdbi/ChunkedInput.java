package io.tokenvault.adapters.jdbi;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Reads what {@link ChunkedOutput} wrote, up to its end. */
final class ChunkedInput extends InputStream {

  private final DataInputStream in;
  private int left;
  private boolean ended;

  ChunkedInput(DataInputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (left == 0 && !ended) {
      left = in.readInt();
      ended = left == 0;
    }
    if (ended) {
      return -1;
    }
    int part = Math.min(length, left);
    in.readFully(bytes, offset, part);
    left -= part;
    return part;
  }
}
