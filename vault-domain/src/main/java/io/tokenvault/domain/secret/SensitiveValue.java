package io.tokenvault.domain.secret;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Objects;

/**
 * Bytes that must not be seen by accident: token data, keys, configuration. Printing, logging and
 * comparing are safe; {@link #open()} is the one way in, and the one name to search for.
 */
public final class SensitiveValue {

  private final byte[] bytes;

  private SensitiveValue(byte[] bytes) {
    this.bytes = bytes;
  }

  public static SensitiveValue of(byte[] bytes) {
    return new SensitiveValue(bytes.clone());
  }

  public static SensitiveValue ofText(String text) {
    return new SensitiveValue(
        Objects.requireNonNull(text, "text").getBytes(StandardCharsets.UTF_8));
  }

  /** A copy of the bytes. Who calls this answers for what becomes of them. */
  public byte[] open() {
    return bytes.clone();
  }

  /** The number of bytes, which is not secret. */
  public int size() {
    return bytes.length;
  }

  /** Constant in time for values of the same size. */
  @Override
  public boolean equals(Object other) {
    return other instanceof SensitiveValue value && MessageDigest.isEqual(bytes, value.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "SensitiveValue[redacted]";
  }
}
