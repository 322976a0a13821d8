package io.tokenvault.engine.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tokenvault.domain.failure.ValidationException;
import org.junit.jupiter.api.Test;

class TemplateTest {

  @Test
  void expressionsAreCountedHoweverOftenTheyNameTheSameToken() {
    String most = "{{a}}".repeat(Template.MAX_SLOTS);

    assertThat(Template.ofText(most).tokenIds()).containsExactly("a");
    assertThatExceptionOfType(ValidationException.class)
        .isThrownBy(() -> Template.ofText(most + "{{a}}"));
  }
}
