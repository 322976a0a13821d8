package io.tokenvault.server.imports;

import io.tokenvault.domain.Sha256;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;

/** Reads the lines of a file, numbered from 1, and computes a digest of all of them. */
final class LineReader implements AutoCloseable {

  /**
   * Limit on the bytes of a line: data and expressions of maximum size with every character
   * escaped.
   */
  static final int MAX_LINE_BYTES = 16 << 20;

  private static final int BUFFER_BYTES = 1 << 16;

  private final InputStream in;
  private final MessageDigest digest = Sha256.digest();
  private long number;
  private boolean tooLong;

  /** Opens a file, which the caller closes with the reader. */
  LineReader(Path file) throws IOException {
    this.in = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
  }

  /** Returns the number of the last line that was read; 0 before the first. */
  long number() {
    return number;
  }

  /** Returns the SHA-256 of all lines up to here, in hexadecimal digits. */
  String digest() {
    try {
      return HexFormat.of().formatHex(((MessageDigest) digest.clone()).digest());
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("the JDK's SHA-256 can be copied", e);
    }
  }

  /** Returns whether the last line is longer than {@link #MAX_LINE_BYTES}. */
  boolean isTooLong() {
    return tooLong;
  }

  /**
   * Returns the next line without its line feed; empty at the end of the file.
   *
   * <p>A line that is {@linkplain #isTooLong too long} is read to its end but not kept in memory:
   * the result is meaningless then.
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

  /**
   * Counts a line and adds it to the digest. A missing line feed at the end of the file makes no
   * difference.
   */
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
