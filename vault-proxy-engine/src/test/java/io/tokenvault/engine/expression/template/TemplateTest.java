package io.tokenvault.engine.expression.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tokenvault.domain.failure.ValidationException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TemplateTest {

  @Test
  void expressionLimitCountsRepeatedTokens() {
    String most = "{{a}}".repeat(Template.MAX_SLOTS);

    assertThat(Template.ofText(most).tokenIds()).containsExactly("a");
    assertThatExceptionOfType(ValidationException.class)
        .isThrownBy(() -> Template.ofText(most + "{{a}}"));
  }

  @Test
  void expressionsWithFiltersAreLimitedToOneMebibyte() {
    String filtered = "{{%d|append:'" + "x".repeat(4000) + "'}}";
    String most =
        IntStream.range(0, 260)
            .mapToObj(i -> String.format(filtered, i).repeat(10))
            .collect(Collectors.joining());

    assertThat(Template.ofText(most).tokenIds()).hasSize(260);
    assertThatExceptionOfType(ValidationException.class)
        .isThrownBy(() -> Template.ofText(most + most.replace("append", "prepend")))
        .satisfies(rejected -> assertThat(rejected.errors().toString()).contains("1 MiB in all"));
  }
}
