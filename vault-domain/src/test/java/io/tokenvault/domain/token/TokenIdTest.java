package io.tokenvault.domain.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.failure.ValidationException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokenIdTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "abc",
        "00000000-0000-0000-0000-000000000000",
        "tok_1.2:3;4,5@6!7$8*9~0",
        "(a)",
        "\u00e4\u00f6\u00fc",
        "\ud83d\ude00\ud83d\ude00\ud83d\ude00"
      })
  void validIdIsParsed(String value) {
    assertThat(TokenId.parse(value)).contains(new TokenId(value));
    assertThat(new TokenId(value)).hasToString(value);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "", "ab", "a b", "abc ", "abc\n", "a\tbc", "a\u00a0bc",
        "a\u2003bc", "a\u2028bc", "a\u0000bc", "a\u007fbc", "a\u0085bc", "abc\ud800", "\udc00abc"
      })
  void invalidIdIsRejected(String value) {
    assertThat(TokenId.parse(value)).isEmpty();
    assertThatThrownBy(() -> new TokenId(value))
        .isInstanceOfSatisfying(
            ValidationException.class,
            e -> assertThat(e.errors()).isEqualTo(Map.of("id", List.of(TokenId.SHAPE))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "abc\u202e", // right-to-left override
        "\u2066abc",
        "a\u200bbc", // zero-width space
        "a\u200dbc",
        "\ufeffabc",
        "a\u00adbc", // soft hyphen
        "a\u2060bc",
        "abc\udb40\udc41", // tag
        "abc\udb40\udc01",
        "abc\uffff",
        "a\u0378bc", // unassigned
        "abc\udb40\udc00",
        "\ud83d\ude00\ud83d\ude00" // two code points
      })
  void invisibleAndTooFewCharactersAreRejectedInNewIdsOnly(String value) {
    assertThat(TokenId.parseNew(value)).isEmpty();
    assertThat(new TokenId(value)).hasToString(value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc", "\u00e4\u00f6\u00fc", "a\ud83d\ude00b", "a\u0301bc"})
  void visibleCharactersAreAcceptedInNewIds(String value) {
    assertThat(TokenId.parseNew(value)).contains(new TokenId(value));
  }

  @Test
  void forbiddenCharactersAreRejected() {
    for (char forbidden : "#/\\+?[]|&=%<>{}^\"'`".toCharArray()) {
      assertThat(TokenId.parse("ab" + forbidden + "c")).isEmpty();
    }
  }

  @Test
  void lengthsAreThreeToTwoHundred() {
    assertThat(TokenId.parse("a".repeat(2))).isEmpty();
    assertThat(TokenId.parse("a".repeat(3))).isPresent();
    assertThat(TokenId.parse("a".repeat(200))).isPresent();
    assertThat(TokenId.parse("a".repeat(201))).isEmpty();
    assertThat(TokenId.parse("\ud83d\ude00".repeat(200))).isPresent();
    assertThat(TokenId.parse("\ud83d\ude00".repeat(201))).isEmpty();
  }

  @Test
  void generatedIdsAreUuidsAndDiffer() {
    TokenId generated = TokenId.random();

    assertThat(UUID.fromString(generated.value())).hasToString(generated.value());
    assertThat(TokenId.random()).isNotEqualTo(generated);
  }

  @Property
  void anyStringIsAcceptedUnchangedOrRejected(@ForAll String text) {
    TokenId.parse(text).ifPresent(id -> assertThat(id.value()).isEqualTo(text));
  }
}
