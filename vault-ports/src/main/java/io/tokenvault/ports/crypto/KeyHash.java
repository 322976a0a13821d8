package io.tokenvault.ports.crypto;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;

/**
 * The keyed hash of an API key or proxy key, and the version of the hashing key. Instances are
 * immutable.
 */
public record KeyHash(int version, byte[] bytes) {

  public KeyHash {
    bytes = bytes.clone();
  }

  @Override
  public byte[] bytes() {
    return bytes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyHash hash
        && version == hash.version
        && Arrays.equals(bytes, hash.bytes);
  }

  @Override
  public int hashCode() {
    return Objects.hash(version, Arrays.hashCode(bytes));
  }

  /** Returns the version and the first two bytes, enough to distinguish hashes in a log. */
  @Override
  public String toString() {
    return "KeyHash[" + version + ", " + HexFormat.of().formatHex(bytes, 0, 2) + "...]";
  }
}
