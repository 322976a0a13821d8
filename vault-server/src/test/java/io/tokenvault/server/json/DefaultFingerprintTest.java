package io.tokenvault.server.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.token.TokenType;
import io.tokenvault.engine.expression.LiquidExpressions;
import io.tokenvault.ports.runtime.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the default fingerprint, computed without evaluation, equals its expression. */
final class DefaultFingerprintTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"text\"",
        "\"\\u0001\\u001f\\t\\n\\\"\\\\/\\u007f\\u0080\\u2028\\ud83d\\ude00\u00e9\u4e2d\"",
        "[-0, 1.50, 1E+5, 12345678901234567890.000, 1e-400]",
        "{\"b\": {\"\\u0002\\\"\": [true, false, null, {}, []]}, \"a\": \"\"}"
      })
  void jsonOfDataEqualsPrintedExpression(String text) {
    JsonCodec json = new JacksonJson();
    JsonValue data = json.read(text.getBytes(StandardCharsets.UTF_8));

    assertThat(
            new LiquidExpressions(RandomGenerator.getDefault())
                .evaluator()
                .print(TokenType.ALL_DATA, Map.of("data", data), "error", new Violations()))
        .contains(new String(json.write(data), StandardCharsets.UTF_8));
  }
}
