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
 * Defines the format of a backup file.
 *
 * <p>It consists of a line that identifies the format, 16 random bytes, a MAC of both, the content,
 * and a MAC of the SHA-256 of everything before it. The first MAC shows whether the keyset is the
 * right one before the content is read. A MAC is preceded by the id of its key.
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

  /**
   * Returns the input of the first MAC.
   *
   * @param name the random bytes of the file
   */
  static byte[] start(byte[] name) {
    return joined(START, MARK, name);
  }

  /**
   * Returns the input of the last MAC.
   *
   * @param digest the SHA-256 of everything before it
   */
  static byte[] whole(byte[] digest) {
    return joined(WHOLE, digest);
  }

  private static byte[] joined(byte[]... parts) {
    ByteBuffer all = ByteBuffer.allocate(Arrays.stream(parts).mapToInt(part -> part.length).sum());
    Arrays.stream(parts).forEach(all::put);
    return all.array();
  }

  /** Writes a key id and a MAC, {@link #TAG_BYTES} bytes together. */
  static void write(LogTag tag, OutputStream out) throws IOException {
    out.write(ByteBuffer.allocate(TAG_BYTES).putInt(tag.keyId()).put(tag.bytes()).array());
  }

  /** Reads a key id and a MAC. */
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
