package io.tokenvault.domain.token;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenTypeTest {

  @ParameterizedTest
  @CsvSource({
    "token, /general/high/", "card, /pci/high/",
    "bank, /bank/high/", "card_number, /pci/high/",
    "us_bank_account_number, /bank/high/", "us_bank_routing_number, /bank/low/",
    "social_security_number, /pii/high/", "employer_id_number, /pii/high/"
  })
  void typeHasDefaultContainer(String value, String container) {
    TokenType type = TokenType.of(value).orElseThrow();

    assertThat(type.value()).isEqualTo(value);
    assertThat(type.defaultContainer()).hasToString(container);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "Card", "CARD", "card ", "credit_card"})
  void unknownValueReturnsNoType(String value) {
    assertThat(TokenType.of(value)).isEmpty();
  }
}
