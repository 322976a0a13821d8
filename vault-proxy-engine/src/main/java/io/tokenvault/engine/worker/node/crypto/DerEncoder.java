package io.tokenvault.engine.worker.node.crypto;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * Reader and writer of the part of DER (ITU-T X.690) that converts keys between formats, since the
 * JDK reads PKCS #8 and SPKI only.
 *
 * <p>The input is not trusted: malformed data causes an {@link IllegalArgumentException} or an
 * {@link IndexOutOfBoundsException}, which callers catch.
 */
final class DerEncoder {
  /** The tag of INTEGER. */
  static final int INTEGER = 0x02;

  /** The tag of BIT STRING. */
  static final int BITS = 0x03;

  /** The tag of OCTET STRING. */
  static final int OCTETS = 0x04;

  /** The tag of SEQUENCE. */
  static final int SEQUENCE = 0x30;

  private final byte[] bytes;

  /** The index of the next value. */
  private int next;

  private DerEncoder(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Returns a reader of the content of a value.
   *
   * @throws IllegalArgumentException if it has another tag
   */
  static DerEncoder inside(byte[] value, int tag) {
    DerEncoder outer = new DerEncoder(value);
    return new DerEncoder(outer.content(tag));
  }

  /** Returns whether there is another value. */
  boolean hasMore() {
    return next < bytes.length;
  }

  /** Returns the tag of the next value; -1 if there is none. */
  int tag() {
    return hasMore() ? bytes[next] & 0xff : -1;
  }

  /**
   * Reads the next value and returns its content.
   *
   * @throws IllegalArgumentException if it has another tag
   */
  byte[] content(int tag) {
    if (tag() != tag) {
      throw new IllegalArgumentException("another tag");
    }
    int start = next;
    whole();
    return Arrays.copyOfRange(bytes, start + header(start), next);
  }

  /**
   * Reads the next value and returns it with its tag and length.
   *
   * @throws IllegalArgumentException if it is incomplete
   */
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

  /** Returns the length of tag and length together. Only tags of one byte are supported. */
  private int header(int start) {
    int first = bytes[start + 1] & 0xff;
    return first < 0x80 ? 2 : 2 + (first & 0x7f);
  }

  /** Returns the length of the content, which may be in the short or the long form. */
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

  /**
   * Encodes a value.
   *
   * @param parts the content, in parts that are joined
   */
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

  /** Writes a length in the shortest form. */
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
