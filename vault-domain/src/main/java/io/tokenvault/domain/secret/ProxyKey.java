package io.tokenvault.domain.secret;

import java.util.Optional;
import java.util.random.RandomGenerator;

/** The key that invokes a pre-configured proxy: 32 random base62 characters. */
public final class ProxyKey {

  private static final int LENGTH = 32;

  private final SensitiveValue value;

  private ProxyKey(SensitiveValue value) {
    this.value = value;
  }

  /**
   * Generates a key.
   *
   * @param randomness a cryptographically strong source
   */
  public static ProxyKey generate(RandomGenerator randomness) {
    return new ProxyKey(SensitiveValue.ofText(Base62.random(LENGTH, randomness)));
  }

  /** Parses a key; empty if the string cannot be a proxy key. */
  public static Optional<ProxyKey> parse(String text) {
    return text.length() == LENGTH && Base62.isBase62(text)
        ? Optional.of(new ProxyKey(SensitiveValue.ofText(text)))
        : Optional.empty();
  }

  /** Returns the key for a stored value that was decrypted. */
  public static ProxyKey of(SensitiveValue value) {
    return new ProxyKey(value);
  }

  public SensitiveValue value() {
    return value;
  }

  @Override
  public String toString() {
    return "ProxyKey[redacted]";
  }
}
