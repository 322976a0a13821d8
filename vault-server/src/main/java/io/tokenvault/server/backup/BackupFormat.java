package io.tokenvault.server.backup;

import io.tokenvault.domain.audit.integrity.LogTag;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * A backup: a line that says what it is, 16 bytes that no other has, a MAC of both that tells
 * whether a keyset is the right one, the content, and a MAC over the SHA-256 of all before it.
 */
final class BackupFormat {

  static final byte[] MARK = "token-vault backup 1\n".getBytes(StandardCharsets.US_ASCII);
  static final int NAME_BYTES = 16;
  static final int MAC_BYTES = 32;
  static final int TAG_BYTES = Integer.BYTES + MAC_BYTES;
  static final int START_BYTES = MARK.length + NAME_BYTES + TAG_BYTES;

  private static final byte[] START = "start".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] WHOLE = "whole".getBytes(StandardCharsets.US_ASCII);

  private BackupFormat() {}

  /** What the first MAC is of. */
  static byte[] start(byte[] name) {
    return joined(START, MARK, name);
  }

  /** What the last MAC is of. */
  static byte[] whole(byte[] digest) {
    return joined(WHOLE, digest);
  }

  private static byte[] joined(byte[]... parts) {
    ByteBuffer all = ByteBuffer.allocate(Arrays.stream(parts).mapToInt(part -> part.length).sum());
    Arrays.stream(parts).forEach(all::put);
    return all.array();
  }

  static void write(LogTag tag, OutputStream out) throws IOException {
    out.write(ByteBuffer.allocate(TAG_BYTES).putInt(tag.keyId()).put(tag.bytes()).array());
  }

  static LogTag readTag(InputStream in) throws IOException {
    ByteBuffer tag = ByteBuffer.wrap(in.readNBytes(TAG_BYTES));
    byte[] mac = new byte[MAC_BYTES];
    int keyId = tag.getInt();
    tag.get(mac);
    return new LogTag(keyId, mac);
  }

  static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("the JDK has SHA-256", e);
    }
  }
}
