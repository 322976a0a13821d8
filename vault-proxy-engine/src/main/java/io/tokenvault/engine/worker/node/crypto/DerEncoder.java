package io.tokenvault.engine.worker.node.crypto;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/** Enough of DER to put a key of one form into another, which the JDK's readers want. */
final class DerEncoder {
  static final int INTEGER = 0x02;
  static final int BITS = 0x03;
  static final int OCTETS = 0x04;
  static final int SEQUENCE = 0x30;

  private final byte[] bytes;
  private int next;

  private DerEncoder(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Reads the inside of one value. */
  static DerEncoder inside(byte[] value, int tag) {
    DerEncoder outer = new DerEncoder(value);
    return new DerEncoder(outer.content(tag));
  }

  boolean hasMore() {
    return next < bytes.length;
  }

  int tag() {
    return hasMore() ? bytes[next] & 0xff : -1;
  }

  /** The inside of the next value, which has to have that tag. */
  byte[] content(int tag) {
    if (tag() != tag) {
      throw new IllegalArgumentException("another tag");
    }
    int start = next;
    whole();
    return Arrays.copyOfRange(bytes, start + header(start), next);
  }

  /** The next value, with its tag and length. */
  byte[] whole() {
    int start = next;
    int header = header(start);
    long end = start + header + length(start);
    if (end > bytes.length) {
      throw new IllegalArgumentException("cut off");
    }
    next = (int) end;
    return Arrays.copyOfRange(bytes, start, next);
  }

  private int header(int start) {
    int first = bytes[start + 1] & 0xff;
    return first < 0x80 ? 2 : 2 + (first & 0x7f);
  }

  private long length(int start) {
    int first = bytes[start + 1] & 0xff;
    if (first < 0x80) {
      return first;
    }
    if ((first & 0x7f) > 4) {
      throw new IllegalArgumentException("too long");
    }
    long length = 0;
    for (int i = 0; i < (first & 0x7f); i++) {
      length = (length << 8) | (bytes[start + 2 + i] & 0xff);
    }
    return length;
  }

  static byte[] value(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    writeLength(out, content.size());
    out.writeBytes(content.toByteArray());
    return out.toByteArray();
  }

  private static void writeLength(ByteArrayOutputStream out, int length) {
    if (length < 0x80) {
      out.write(length);
      return;
    }
    int count = (39 - Integer.numberOfLeadingZeros(length)) / 8;
    out.write(0x80 | count);
    for (int i = count - 1; i >= 0; i--) {
      out.write(length >> (8 * i));
    }
  }
}
