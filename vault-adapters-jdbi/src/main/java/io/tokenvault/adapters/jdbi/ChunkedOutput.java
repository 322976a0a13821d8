package io.tokenvault.adapters.jdbi;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Writes bytes of an unknown number in chunks behind their lengths. */
final class ChunkedOutput extends OutputStream {

  private final DataOutputStream out;
  private final byte[] chunk = new byte[SnapshotFormat.CHUNK_BYTES];
  private int filled;

  ChunkedOutput(DataOutputStream out) {
    this.out = out;
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    int written = 0;
    while (written < length) {
      if (filled == chunk.length) {
        writeChunk();
      }
      int part = Math.min(length - written, chunk.length - filled);
      System.arraycopy(bytes, offset + written, chunk, filled, part);
      filled += part;
      written += part;
    }
  }

  private void writeChunk() throws IOException {
    if (filled > 0) {
      out.writeInt(filled);
      out.write(chunk, 0, filled);
      filled = 0;
    }
  }

  /** Nothing follows. */
  void end() throws IOException {
    writeChunk();
    out.writeInt(0);
  }
}
