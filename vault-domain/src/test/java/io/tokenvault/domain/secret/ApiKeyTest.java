package io.tokenvault.domain.secret;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

class ApiKeyTest {

  private static final String ALPHABET =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  private final SecureRandom randomness = new SecureRandom();

  @Test
  void keyHasPublishedFormat() {
    for (int i = 0; i < 200; i++) {
      String text = text(ApiKey.generate(randomness));

      assertThat(text).matches("key_[0-9A-Za-z]{38}");
      assertThat(text.substring(36)).isEqualTo(checksum(text.substring(0, 36)));
    }
  }

  /** Computes the checksum independently of the implementation. */
  private static String checksum(String body) {
    CRC32 crc = new CRC32();
    crc.update(body.getBytes(StandardCharsets.US_ASCII));
    BigInteger quotient = BigInteger.valueOf(crc.getValue());
    StringBuilder digits = new StringBuilder();
    for (int i = 0; i < 6; i++) {
      BigInteger[] division = quotient.divideAndRemainder(BigInteger.valueOf(62));
      digits.insert(0, ALPHABET.charAt(division[1].intValue()));
      quotient = division[0];
    }
    return digits.toString();
  }

  @Test
  void randomCharactersComeFromGivenSource() {
    ConstantRandom zeros = new ConstantRandom(0);
    ConstantRandom last = new ConstantRandom(61);

    assertThat(text(ApiKey.generate(zeros))).startsWith("key_" + "0".repeat(32));
    assertThat(text(ApiKey.generate(last))).startsWith("key_" + "z".repeat(32));
    assertThat(zeros.calls()).isEqualTo(32);
  }

  @Test
  void checksumOfKnownKeyIsStable() {
    assertThat(text(ApiKey.generate(new ConstantRandom(0))))
        .isEqualTo("key_" + "0".repeat(32) + "0PkCtI");
  }

  @Test
  void keyWithChangedCharacterDoesNotParse() {
    String text = text(ApiKey.generate(randomness));
    for (int i = 0; i < text.length(); i++) {
      char other = text.charAt(i) == 'a' ? 'b' : 'a';
      String changed = text.substring(0, i) + other + text.substring(i + 1);

      assertThat(ApiKey.parse(changed)).isEmpty();
    }
  }

  @Test
  void keyWithExtraOrMissingCharactersDoesNotParse() {
    String text = text(ApiKey.generate(randomness));

    assertThat(ApiKey.parse(" " + text)).isEmpty();
    assertThat(ApiKey.parse(text + "\n")).isEmpty();
    assertThat(ApiKey.parse(text.substring(1))).isEmpty();
    assertThat(ApiKey.parse(text.substring(0, 41))).isEmpty();
  }

  @Test
  void validChecksumDoesNotAllowInvalidCharacters() {
    String body = "key_" + "-".repeat(32);

    assertThat(ApiKey.parse(body + checksum(body))).isEmpty();
  }

  @Test
  void toStringRedactsKey() {
    assertThat(ApiKey.generate(randomness)).hasToString("ApiKey[redacted]");
  }

  private static String text(ApiKey key) {
    return new String(key.value().open(), StandardCharsets.US_ASCII);
  }
}
