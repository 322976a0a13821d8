package io.tokenvault.server.imports;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/** A file's lines, counted from 1, and a digest of all that was read. */
final class LineReader implements AutoCloseable {

  /** Data and expressions of the greatest size, each character escaped. */
  static final int MAX_LINE_BYTES = 16 << 20;

  private static final int BUFFER_BYTES = 1 << 16;

  private final InputStream in;
  private final MessageDigest digest = sha256();
  private long number;
  private boolean tooLong;

  private LineReader(InputStream in) {
    this.in = in;
  }

  static LineReader open(Path file) throws IOException {
    return new LineReader(new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("the JDK has SHA-256", e);
    }
  }

  /** The number of the line that was read last; 0 before the first. */
  long number() {
    return number;
  }

  /** Of all lines up to here. */
  String digest() {
    try {
      return HexFormat.of().formatHex(((MessageDigest) digest.clone()).digest());
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("the JDK's SHA-256 can be copied", e);
    }
  }

  /** Whether the line that was read last is longer than any line of an import. */
  boolean isTooLong() {
    return tooLong;
  }

  /**
   * The next line without its end, empty at the end of the file. One that is {@linkplain #isTooLong
   * too long} is read to its end, but not kept: what comes instead means nothing.
   */
  Optional<byte[]> next() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    boolean any = false;
    tooLong = false;
    for (int each = in.read(); each >= 0; each = in.read()) {
      any = true;
      if (each == '\n') {
        break;
      }
      if (line.size() == MAX_LINE_BYTES) {
        tooLong = true;
        digest.update(line.toByteArray());
        line.reset();
      }
      line.write(each);
    }
    return any ? Optional.of(counted(line.toByteArray())) : Optional.empty();
  }

  private byte[] counted(byte[] line) {
    number++;
    digest.update(line);
    digest.update((byte) '\n');
    return line;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
