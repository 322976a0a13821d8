package io.tokenvault.domain.request;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HeaderFieldTest {

  @ParameterizedTest
  @CsvSource({
    "X-Request_1, true, true",
    "x.y~z!#$%&'*+^`|, true, false",
    "'', false, false",
    "a b, false, false",
    "a:b, false, false",
    "é, false, false"
  })
  void nameIsPlainOnlyIfItIsAToken(String name, boolean isToken, boolean isPlain) {
    HeaderField field = new HeaderField(name, "value");

    assertThat(field.isNamedByToken()).isEqualTo(isToken);
    assertThat(field.isNamedPlainly()).isEqualTo(isPlain);
  }

  @ParameterizedTest
  @CsvSource({"Transfer-Encoding, true", "content-LENGTH, true", "TE, true", "Content-Type, false"})
  void connectionHeaderIsDetectedIgnoringCase(String name, boolean isOfConnection) {
    assertThat(new HeaderField(name, "value").isOfConnection()).isEqualTo(isOfConnection);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\rb", "a\nb", "a\0b"})
  void valueWithLineBreakOrNulSplitsLines(String value) {
    assertThat(new HeaderField("Name", value).splitsLines()).isTrue();
    assertThat(new HeaderField("Name", value.substring(2)).splitsLines()).isFalse();
  }
}
