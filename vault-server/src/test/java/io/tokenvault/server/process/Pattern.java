package io.tokenvault.server.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.Checksum;

/** Any number of bytes that never repeat at a power of two, without an expression among them. */
final class Pattern extends InputStream {

  private static final byte[] PERIOD =
      "{\"no\": \"expression { {here} }\", \"number\": 4711}\n"
          .repeat(211)
          .getBytes(StandardCharsets.US_ASCII);

  private long left;
  private int position;

  Pattern(long length) {
    this.left = length;
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0];
  }

  @Override
  public int read(byte[] buffer, int offset, int length) {
    if (left == 0) {
      return -1;
    }
    int count = (int) Math.min(left, Math.min(length, PERIOD.length - position));
    System.arraycopy(PERIOD, position, buffer, offset, count);
    position = (position + count) % PERIOD.length;
    left -= count;
    return count;
  }

  /** Of so many bytes. */
  static String summary(long length) {
    return summary(new Pattern(length));
  }

  /** Of what a stream still gives. */
  static String summary(InputStream content) {
    try (CheckedInputStream checked = new CheckedInputStream(content, new CRC32())) {
      long length = 0;
      byte[] buffer = new byte[1 << 16];
      for (int count = checked.read(buffer); count >= 0; count = checked.read(buffer)) {
        length += count;
      }
      return summary(length, checked.getChecksum());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  static String summary(long length, Checksum checksum) {
    return length + " bytes, " + Long.toHexString(checksum.getValue());
  }
}
