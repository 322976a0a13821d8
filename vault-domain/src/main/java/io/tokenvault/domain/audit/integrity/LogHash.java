package io.tokenvault.domain.audit.integrity;

import java.util.Arrays;
import java.util.HexFormat;

/** A SHA-256 hash in a hash chain. */
public record LogHash(byte[] bytes) {

  public static final int BYTES = 32;

  /** The hash before the first link: 32 zero bytes. */
  public static final LogHash NONE = new LogHash(new byte[BYTES]);

  public LogHash {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("a hash has 32 bytes");
    }
    bytes = bytes.clone();
  }

  /**
   * Parses the output of {@link #toString}.
   *
   * @throws IllegalArgumentException if it is not a hash in hexadecimal
   */
  public static LogHash ofHex(String hex) {
    return new LogHash(HexFormat.of().parseHex(hex));
  }

  @Override
  public byte[] bytes() {
    return bytes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LogHash hash && Arrays.equals(bytes, hash.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}
