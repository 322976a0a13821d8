package io.tokenvault.domain.secret;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyKeyTest {

  private final SecureRandom randomness = new SecureRandom();

  @Test
  void keyHasThirtyTwoBase62Characters() {
    for (int i = 0; i < 200; i++) {
      assertThat(text(ProxyKey.generate(randomness))).matches("[0-9A-Za-z]{32}");
    }
    assertThat(ProxyKey.generate(randomness).value())
        .isNotEqualTo(ProxyKey.generate(randomness).value());
  }

  @Test
  void randomCharactersComeFromGivenSource() {
    ConstantRandom random = new ConstantRandom(10);

    assertThat(text(ProxyKey.generate(random))).isEqualTo("A".repeat(32));
    assertThat(random.calls()).isEqualTo(32);
  }

  @Test
  void generatedKeyRoundTrips() {
    ProxyKey key = ProxyKey.generate(randomness);

    assertThat(ProxyKey.parse(text(key)))
        .hasValueSatisfying(parsed -> assertThat(parsed.value()).isEqualTo(key.value()));
    assertThat(ProxyKey.of(key.value()).value()).isEqualTo(key.value());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0000000000000000000000000000000",
        "000000000000000000000000000000000",
        "0000000000000000000000000000000-",
        "0000000000000000 000000000000000",
        "0000000000000000000000000000000\n"
      })
  void invalidKeyDoesNotParse(String text) {
    assertThat(ProxyKey.parse(text)).isEmpty();
  }

  @Test
  void toStringRedactsKey() {
    assertThat(ProxyKey.generate(randomness)).hasToString("ProxyKey[redacted]");
  }

  private static String text(ProxyKey key) {
    return new String(key.value().open(), StandardCharsets.US_ASCII);
  }
}
