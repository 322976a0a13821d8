package io.tokenvault.domain.secret;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Objects;

/**
 * Bytes that must not be disclosed by accident: token data, keys, configuration.
 *
 * <p>Printing, logging and comparing are safe; {@link #open()} is the only access to the bytes, and
 * the only name to search for in a review. Instances are immutable.
 */
public final class SensitiveValue {

  private final byte[] bytes;

  private SensitiveValue(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Returns a value with a copy of the bytes. */
  public static SensitiveValue of(byte[] bytes) {
    return new SensitiveValue(bytes.clone());
  }

  /** Returns a value with the UTF-8 bytes of a string. */
  public static SensitiveValue ofText(String text) {
    return new SensitiveValue(
        Objects.requireNonNull(text, "text").getBytes(StandardCharsets.UTF_8));
  }

  /** Returns a copy of the bytes. The caller is responsible for not disclosing it. */
  public byte[] open() {
    return bytes.clone();
  }

  /** Returns the number of bytes, which is not secret. */
  public int size() {
    return bytes.length;
  }

  /** Compares in constant time for values of equal size. */
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
