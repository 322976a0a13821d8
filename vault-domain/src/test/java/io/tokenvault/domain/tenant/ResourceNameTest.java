package io.tokenvault.domain.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullSource;

class ResourceNameTest {

  private static final Map<String, List<String>> ERRORS =
      Map.of("name", List.of("must be 1 to 200 characters long and not blank"));

  static Stream<String> validNames() {
    return Stream.of("a", " a ", "a".repeat(200), "\ud83d\ude00".repeat(200), "\u00e9\u0301");
  }

  @ParameterizedTest
  @MethodSource("validNames")
  void nameLengthCountsCodePoints(String text) {
    Violations violations = new Violations();
    ResourceName.check(text, violations);

    assertThat(violations.isEmpty()).isTrue();
    assertThat(new ResourceName(text)).hasToString(text);
  }

  static Stream<String> invalidNames() {
    return Stream.of("", " ", "\t\n", "\u2003", "a".repeat(201), "\ud83d\ude00".repeat(201));
  }

  @ParameterizedTest
  @NullSource
  @MethodSource("invalidNames")
  void invalidNameIsRejectedAtNameProperty(String text) {
    Violations violations = new Violations();
    ResourceName.check(text, violations);

    assertThat(violations.asMap()).isEqualTo(ERRORS);
    assertThatThrownBy(() -> new ResourceName(text))
        .isInstanceOfSatisfying(
            ValidationException.class, e -> assertThat(e.errors()).isEqualTo(ERRORS));
  }
}
