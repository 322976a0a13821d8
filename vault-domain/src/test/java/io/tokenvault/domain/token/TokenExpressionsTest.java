package io.tokenvault.domain.token;

import static io.tokenvault.domain.json.JsonValue.JsonNull.NULL;
import static io.tokenvault.domain.json.JsonValues.array;
import static io.tokenvault.domain.json.JsonValues.object;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TokenExpressionsTest {

  static Stream<TokenExpressions> samples() {
    return Stream.of(
        TokenExpressions.none(),
        new TokenExpressions(
            Optional.of(object("a", array(NULL))), List.of("x", "y", "x"), Optional.of("z")),
        new TokenExpressions(Optional.empty(), List.of("x"), Optional.empty()),
        new TokenExpressions(Optional.empty(), List.of(), Optional.of("z")),
        new TokenExpressions(Optional.of(object()), List.of(), Optional.empty()));
  }

  @ParameterizedTest
  @MethodSource("samples")
  void expressionsRoundTripThroughJson(TokenExpressions expressions) {
    assertThat(TokenExpressions.of(expressions.toJson())).isEqualTo(expressions);
  }

  @Test
  void onlyDefaultExpressionsAreEmpty() {
    assertThat(samples().filter(TokenExpressions::isEmpty))
        .containsExactly(TokenExpressions.none());
  }

  @Test
  void toStringRevealsNoValues() {
    assertThat(new TokenExpressions(Optional.empty(), List.of("marker"), Optional.empty()))
        .hasToString("TokenExpressions[redacted]");
  }
}
