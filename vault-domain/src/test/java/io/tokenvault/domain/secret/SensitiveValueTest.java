package io.tokenvault.domain.secret;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SensitiveValueTest {

  @Test
  void textIsUtf8() {
    assertThat(SensitiveValue.ofText("\u00e9").open()).containsExactly(0xC3, 0xA9);
  }

  @Test
  void callersCannotModifyValue() {
    byte[] bytes = {1, 2, 3};
    SensitiveValue value = SensitiveValue.of(bytes);
    bytes[0] = 9;
    value.open()[1] = 9;

    assertThat(value.open()).containsExactly(1, 2, 3);
  }

  @Test
  void differentValuesAreNotEqual() {
    assertThat(SensitiveValue.ofText("a"))
        .isNotEqualTo(SensitiveValue.ofText("b"))
        .isNotEqualTo(SensitiveValue.ofText("aa"))
        .isNotEqualTo("a");
  }

  @Test
  void toStringRedactsValueEvenWhenNested() {
    SensitiveValue value = SensitiveValue.ofText("marker");

    assertThat(value).hasToString("SensitiveValue[redacted]");
    assertThat(List.of(Optional.of(value)).toString()).doesNotContain("marker");
  }
}
