package io.tokenvault.engine.expression;

import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.engine.expression.template.Expression;
import io.tokenvault.engine.expression.template.ExpressionSpan;
import io.tokenvault.engine.expression.template.TemplateEvaluation;
import io.tokenvault.engine.filter.AliasTemplate;
import io.tokenvault.engine.filter.EvaluationLimits;
import io.tokenvault.engine.filter.EvaluationLimits.LimitsSpentException;
import io.tokenvault.engine.filter.ExpressionException;
import io.tokenvault.engine.filter.FilterChain;
import io.tokenvault.engine.filter.ObjectPath;
import io.tokenvault.engine.filter.TextValues;
import io.tokenvault.ports.runtime.Expressions;
import io.tokenvault.ports.runtime.Expressions.Evaluator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
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
 * JsonValue rendered = references.render(valuesOf(references.tokenIds()));
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
    return new LiquidEvaluator();
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
    reading.render(template, "");
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
    public JsonValue render(Map<String, JsonValue> values) {
      TemplateEvaluation evaluation =
          new TemplateEvaluation(
              inner -> evaluate(expressions.get(inner), values), EvaluationLimits.start(nanoTime));
      JsonValue rendered = evaluation.render(template, "");
      evaluation.violations().throwIfAny();
      return rendered;
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
              : expression.filters().orElseThrow().apply(value, limits);
    }

    @Override
    public String toString() {
      return "Slots[" + expressions.size() + " expressions]";
    }
  }

  /**
   * Evaluates expressions over named values within a budget of time, work and memory that all
   * templates of one request share. Not thread-safe.
   */
  private final class LiquidEvaluator implements Evaluator {

    /**
     * Bytes of printed text that a request keeps until all of it is known: twice the largest body.
     */
    private static final long MAX_KEPT = 24L << 20;

    /** The budget of a request, as a multiple of the limits of one template. */
    private static final int TEMPLATES = 5;

    private long nanos = TEMPLATES * EvaluationLimits.MAX_NANOS;
    private long work = TEMPLATES * EvaluationLimits.MAX_WORK;
    private long bytes = MAX_KEPT;

    @Override
    public void check(JsonValue template, String path, Violations violations) {
      evaluated(
          inner -> {
            // Parsed, and not evaluated.
            ObjectPath.parse(Expression.ofData(inner).head());
            return limits -> JsonNull.NULL;
          },
          violations,
          evaluation -> evaluation.render(template, path));
    }

    @Override
    public void startOver() {
      bytes = MAX_KEPT;
    }

    @Override
    public Optional<JsonValue> render(
        JsonValue template, Map<String, JsonValue> scope, String path, Violations violations) {
      return evaluated(
          inner -> evaluate(inner, scope),
          violations,
          evaluation -> evaluation.render(template, path));
    }

    @Override
    public Optional<String> print(
        String template, Map<String, JsonValue> scope, String path, Violations violations) {
      return evaluated(
              inner -> evaluate(inner, scope),
              violations,
              evaluation -> evaluation.print(template, path))
          .flatMap(printed -> checked(() -> kept(printed), path, violations));
    }

    /**
     * Processes a template within the limits; returns empty and adds violations if an expression
     * fails.
     */
    private <T> Optional<T> evaluated(
        Function<String, TemplateEvaluation.Evaluation> reader,
        Violations violations,
        Function<TemplateEvaluation, T> template) {
      return spend(
          limits -> {
            TemplateEvaluation evaluation = new TemplateEvaluation(reader, limits);
            T rendered = template.apply(evaluation);
            violations.addAll(evaluation.violations());
            return evaluation.violations().isEmpty() ? Optional.of(rendered) : Optional.empty();
          });
    }

    /**
     * Evaluates a template within what is left of the budget, and charges the time and the work
     * that it took.
     */
    private <T> T spend(Function<EvaluationLimits, T> template) {
      EvaluationLimits limits =
          new EvaluationLimits(
              nanoTime,
              Math.min(EvaluationLimits.MAX_NANOS, nanos),
              Math.min(EvaluationLimits.MAX_WORK, work));
      try {
        return template.apply(limits);
      } finally {
        nanos -= limits.elapsed();
        work -= limits.worked();
      }
    }

    /**
     * Charges a text that is kept, and returns it.
     *
     * @throws LimitsSpentException if the texts of the request exceed 24 MiB
     */
    private String kept(String text) {
      bytes -= TextValues.size(text);
      if (bytes < 0) {
        throw new LimitsSpentException("the expressions of a request may print at most 24 MiB");
      }
      return text;
    }

    /** Reads an expression and resolves its value; the filters run when it is evaluated. */
    private static TemplateEvaluation.Evaluation evaluate(
        String inner, Map<String, JsonValue> scope) {
      Expression expression = Expression.ofData(inner);
      JsonValue value = ObjectPath.parse(expression.head()).resolve(scope);
      return limits ->
          expression.isPlain()
              ? value
              : expression
                  .filters()
                  .orElseThrow()
                  .apply(value, path -> path.resolve(scope), limits);
    }

    @Override
    public Optional<String> alias(
        String template, Map<String, JsonValue> scope, String path, Violations violations) {
      return checked(() -> spend(limits -> alias(template, scope, limits)), path, violations);
    }

    /** Returns the result; adds a violation if an expression fails. */
    private static <T> Optional<T> checked(
        Supplier<T> evaluation, String path, Violations violations) {
      try {
        return Optional.of(evaluation.get());
      } catch (ExpressionException wrong) {
        violations.add(path, wrong.getMessage());
        return Optional.empty();
      }
    }

    /** Creates an alias from a template that must be a single expression. */
    private String alias(String template, Map<String, JsonValue> scope, EvaluationLimits limits) {
      limits.checkTime();
      ExpressionSpan span =
          ExpressionSpan.next(template, 0)
              .filter(found -> found.covers(template))
              .orElseThrow(
                  () ->
                      new ExpressionException(
                          "must be an id or one expression, without other text"));
      String inner = template.substring(span.innerStart(), span.innerEnd());
      int filterStart = Expression.filterStart(inner);
      AliasTemplate alias = AliasTemplate.parse(inner.substring(filterStart));
      JsonValue value = ObjectPath.parse(inner.substring(0, filterStart).strip()).resolve(scope);
      return alias.make(value, name -> name.resolve(scope), limits, randomness);
    }
  }
}
