package io.tokenvault.engine.expression;

import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.engine.expression.template.JsonText;
import io.tokenvault.engine.filter.TextValues;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Evaluates expressions over {@code data}, for tests. */
final class Evaluations {

  /** Expressions with a stopped clock, so that no time limit applies on a busy machine. */
  static final LiquidExpressions EXPRESSIONS = new LiquidExpressions(new Random(7), () -> 0);

  private Evaluations() {}

  /** Returns the JSON result of an expression, or its violations. */
  static String result(String data, String expression) {
    Violations violations = new Violations();
    Optional<JsonValue> rendered =
        EXPRESSIONS.evaluator().render(JsonValue.of(expression), scope(data), "mask", violations);
    return rendered
        .map(TextValues::json)
        .orElseGet(() -> "violations: " + String.join("; ", messages(violations)));
  }

  /** Returns the first violation. */
  static String failure(String data, String expression) {
    Violations violations = new Violations();
    Optional<JsonValue> rendered =
        EXPRESSIONS.evaluator().render(JsonValue.of(expression), scope(data), "mask", violations);
    return rendered.isEmpty() ? messages(violations).get(0) : "no violation";
  }

  static List<String> messages(Violations violations) {
    return violations.asMap().values().stream().flatMap(List::stream).toList();
  }

  static Map<String, JsonValue> scope(String data) {
    return Map.of("data", JsonText.read(data));
  }
}
