package io.tokenvault.engine.expression;

import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.engine.filter.Alias;
import io.tokenvault.engine.filter.ExpressionException;
import io.tokenvault.engine.filter.FilterChain;
import io.tokenvault.engine.filter.Limits;
import io.tokenvault.engine.filter.ObjectPath;
import io.tokenvault.ports.spi.Expressions;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * Expressions whose filters are those of Liquid and our own. We read them ourselves, and call the
 * filters one by one, so that nothing passes by what is asked of them: the library would print
 * nothing for an unknown name, take any number of arguments, and run tags.
 */
public final class LiquidExpressions implements Expressions {

  private final RandomGenerator randomness;
  private final LongSupplier nanoTime;

  /**
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
  public Optional<JsonValue> fill(
      JsonValue template, Map<String, JsonValue> scope, String path, Violations violations) {
    Filling filling = new Filling(inner -> evaluate(inner, scope), Limits.start(nanoTime));
    JsonValue filled = filling.fill(template, path);
    violations.addAll(filling.violations());
    return filling.violations().isEmpty() ? Optional.of(filled) : Optional.empty();
  }

  @Override
  public Optional<String> print(
      String template, Map<String, JsonValue> scope, String path, Violations violations) {
    Filling filling = new Filling(inner -> evaluate(inner, scope), Limits.start(nanoTime));
    String printed = filling.print(template, path);
    violations.addAll(filling.violations());
    return filling.violations().isEmpty() ? Optional.of(printed) : Optional.empty();
  }

  private static Filling.Evaluation evaluate(String inner, Map<String, JsonValue> scope) {
    Expression expression = Expression.ofData(inner);
    JsonValue value = ObjectPath.parse(expression.head()).resolve(scope);
    return limits ->
        expression.isPlain()
            ? value
            : expression.filters().apply(value, path -> path.resolve(scope), limits);
  }

  @Override
  public Optional<String> alias(
      String template, Map<String, JsonValue> scope, String path, Violations violations) {
    try {
      return Optional.of(alias(template, scope));
    } catch (ExpressionException wrong) {
      violations.add(path, wrong.getMessage());
      return Optional.empty();
    }
  }

  private String alias(String template, Map<String, JsonValue> scope) {
    Span span =
        Span.next(template, 0)
            .filter(found -> found.covers(template))
            .orElseThrow(
                () ->
                    new ExpressionException(
                        "is either an id or one expression, and no other text"));
    String inner = template.substring(span.innerStart(), span.innerEnd());
    int bar = Expression.bar(inner);
    Alias alias = Alias.parse(inner.substring(bar));
    JsonValue value = ObjectPath.parse(inner.substring(0, bar).strip()).resolve(scope);
    return alias.make(value, name -> name.resolve(scope), Limits.start(nanoTime), randomness);
  }

  @Override
  public References references(JsonValue template) {
    Map<String, Expression> expressions = new LinkedHashMap<>();
    Filling reading =
        new Filling(
            inner -> {
              expressions.computeIfAbsent(inner, Expression::ofToken);
              return limits -> JsonNull.NULL;
            },
            Limits.start(nanoTime));
    reading.fill(template, "");
    reading.violations().throwIfAny();
    return new Slots(template, expressions);
  }

  /** A value whose expressions are read, by what stands between their braces. */
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
      Filling filling =
          new Filling(inner -> evaluate(expressions.get(inner), values), Limits.start(nanoTime));
      JsonValue filled = filling.fill(template, "");
      filling.violations().throwIfAny();
      return filled;
    }

    private Filling.Evaluation evaluate(Expression expression, Map<String, JsonValue> values) {
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
