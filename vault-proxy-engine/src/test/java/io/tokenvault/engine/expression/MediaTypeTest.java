package io.tokenvault.engine.expression;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the parsing of content types. */
class MediaTypeTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '`',
      value = {
        "text/plain; charset=utf-8           ¦ utf-8",
        "TEXT/Plain ;a ; CharSet = \"utf-8\" ¦ utf-8",
        "text/plain; x=\"; charset=no\\\" ;\"; charset=utf-8 ¦ utf-8",
        "text/plain;charset=\"a\\\"b\\\\\" x; y ¦ a\"b\\",
        "text/plain; charset=utf-8; charset=\"utf-8\" ¦ utf-8",
        "text/plain; charset=                ¦ ``"
      })
  void parametersAreUnquoted(String contentType, String charset) {
    MediaType type = MediaType.parse(contentType);

    assertThat(type.name()).isEqualTo("text/plain");
    assertThat(type.parameter("charset")).contains(charset);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"text/plain", "text/plain;", "text/plain; charset", "text/plain; x=charset=utf-8"})
  void contentTypeWithoutCharsetNamesNone(String contentType) {
    assertThat(MediaType.parse(contentType).namesCharset()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/plain; charset=utf-8; charset=utf-16",
        "text/plain; charset=none-such",
        "text/plain; charset=",
        "text/plain; charset=\"utf-8" + ";x"
      })
  void ambiguousCharsetIsUnknown(String contentType) {
    MediaType type = MediaType.parse(contentType);

    assertThat(type.namesCharset()).isTrue();
    assertThat(type.charset()).isEmpty();
  }

  @Test
  void longParametersAreReadInOnePass() {
    String escapes = "\\\"".repeat(200_000);

    assertThat(MediaType.parse("text/plain; " + "a".repeat(400_000)).parameters()).isEmpty();
    assertThat(MediaType.parse("text/plain; a=\"" + escapes + '"').parameter("a"))
        .contains("\"".repeat(200_000));
  }
}
