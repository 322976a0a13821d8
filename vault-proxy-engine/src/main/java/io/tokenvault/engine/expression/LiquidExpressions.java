package io.tokenvault.engine.expression;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.engine.expression.template.Expression;
import io.tokenvault.engine.expression.template.TemplateEvaluation;
import io.tokenvault.engine.filter.FilterChain;
import io.tokenvault.engine.filter.ObjectPath;
import io.tokenvault.engine.filter.value.EvaluationBudget;
import io.tokenvault.engine.filter.value.EvaluationLimits;
import io.tokenvault.ports.runtime.Expressions;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Expressions with the filters of Liquid and additional ones of the vault. Thread-safe.
 *
 * <p>Expressions are parsed here, and the library's filters are called one at a time, so that every
 * check applies to every value. The library itself would print nothing for an unknown name, accept
 * any number of arguments, and run tags.
 *
 * <pre>{@code
 * References references = new LiquidExpressions(new SecureRandom()).references(template);
 * JsonValue filled = references.fill(valuesOf(references.tokenIds()));
 * }</pre>
 */
public final class LiquidExpressions implements Expressions {

  private final RandomGenerator randomness;
  private final LongSupplier nanoTime;

  /**
   * Creates expressions and loads the filter libraries, so that the first request does not wait.
   *
   * @param randomness a cryptographic source, for aliases
   */
  public LiquidExpressions(RandomGenerator randomness) {
    this(randomness, System::nanoTime);
  }

  LiquidExpressions(RandomGenerator randomness, LongSupplier nanoTime) {
    this.randomness = randomness;
    this.nanoTime = nanoTime;
    FilterChain.warmUp();
  }

  @Override
  public Evaluator evaluator() {
    return new LiquidEvaluator(randomness, new EvaluationBudget(nanoTime));
  }

  /**
   * Reads the expressions over tokens in a value.
   *
   * @throws io.tokenvault.domain.failure.ValidationException listing every invalid expression
   */
  @Override
  public References references(JsonValue template) {
    Map<String, Expression> expressions = new LinkedHashMap<>();
    TemplateEvaluation reading =
        new TemplateEvaluation(
            inner -> {
              expressions.computeIfAbsent(inner, Expression::ofToken);
              return limits -> JsonNull.NULL;
            },
            EvaluationLimits.start(nanoTime));
    reading.fill(template, "");
    reading.violations().throwIfAny();
    return new Slots(template, expressions);
  }

  /** A value and its parsed expressions, by the text between their braces. */
  private final class Slots implements References {

    private final JsonValue template;
    private final Map<String, Expression> expressions;

    private Slots(JsonValue template, Map<String, Expression> expressions) {
      this.template = template;
      this.expressions = expressions;
    }

    @Override
    public Set<String> tokenIds() {
      Set<String> ids = new LinkedHashSet<>();
      expressions.values().forEach(expression -> ids.add(expression.head()));
      return ids;
    }

    @Override
    public JsonValue fill(Map<String, JsonValue> values) {
      TemplateEvaluation filling =
          new TemplateEvaluation(
              inner -> evaluate(expressions.get(inner), values), EvaluationLimits.start(nanoTime));
      JsonValue filled = filling.fill(template, "");
      filling.violations().throwIfAny();
      return filled;
    }

    /**
     * Returns the evaluation of an expression over the data of its token; filters are not applied
     * to null.
     */
    private TemplateEvaluation.Evaluation evaluate(
        Expression expression, Map<String, JsonValue> values) {
      JsonValue value = values.get(expression.head());
      return limits ->
          expression.isPlain() || value == JsonNull.NULL
              ? value
              : expression.filters().apply(value, Slots::noName, limits);
    }

    private static JsonValue noName(ObjectPath path) {
      throw new IllegalStateException("expressions over tokens have no names");
    }

    @Override
    public String toString() {
      return "References[" + expressions.size() + " expressions]";
    }
  }
}
