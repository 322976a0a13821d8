package io.tokenvault.domain.secret;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32;

/**
 * An application's API key: {@code key_}, 32 random base62 characters, and 6 base62 characters with
 * the CRC-32 of all preceding ones. The checksum lets a secret scanner recognize keys without
 * asking the vault.
 */
public final class ApiKey {

  private static final String PREFIX = "key_";
  private static final int RANDOM_LENGTH = 32;
  private static final int CHECKSUM_LENGTH = 6;
  private static final int BODY_LENGTH = PREFIX.length() + RANDOM_LENGTH;

  private final SensitiveValue value;

  private ApiKey(SensitiveValue value) {
    this.value = value;
  }

  /**
   * Generates a key.
   *
   * @param randomness a cryptographically strong source
   */
  public static ApiKey generate(RandomGenerator randomness) {
    String body = PREFIX + Base62.random(RANDOM_LENGTH, randomness);
    return new ApiKey(SensitiveValue.ofText(body + checksum(body)));
  }

  /**
   * Parses a key; empty if the string cannot be one, which the checksum shows without a look-up.
   */
  public static Optional<ApiKey> parse(String text) {
    return isWellFormed(text)
        ? Optional.of(new ApiKey(SensitiveValue.ofText(text)))
        : Optional.empty();
  }

  private static boolean isWellFormed(String text) {
    if (text.length() != BODY_LENGTH + CHECKSUM_LENGTH || !text.startsWith(PREFIX)) {
      return false;
    }
    String body = text.substring(0, BODY_LENGTH);
    return Base62.isBase62(body.substring(PREFIX.length()))
        && checksum(body).equals(text.substring(BODY_LENGTH));
  }

  private static String checksum(String body) {
    CRC32 crc = new CRC32();
    crc.update(body.getBytes(StandardCharsets.US_ASCII));
    return Base62.encode(crc.getValue(), CHECKSUM_LENGTH);
  }

  public SensitiveValue value() {
    return value;
  }

  @Override
  public String toString() {
    return "ApiKey[redacted]";
  }
}
