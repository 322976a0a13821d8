package io.tokenvault.ports.memory;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.ports.runtime.Expressions;
import io.tokenvault.ports.runtime.Expressions.Evaluator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;

/** Expressions with a few filters, implemented without a library, for tests. */
public final class SmallExpressions implements Expressions {

  private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";
  private static final int MIN_REPLACED = 4;
  private static final String MESSAGE = "contains an expression that cannot be evaluated";

  private final RandomGenerator randomness;
  private final AtomicInteger evaluated = new AtomicInteger();
  private volatile int maxTemplates = Integer.MAX_VALUE;

  public SmallExpressions() {
    this(new Random());
  }

  /**
   * @param randomness the source of aliases
   */
  public SmallExpressions(RandomGenerator randomness) {
    this.randomness = randomness;
  }

  /** Limits the number of templates that each evaluator evaluates. */
  public void limit(int max) {
    maxTemplates = max;
  }

  /** Returns how many templates were evaluated. */
  public int evaluated() {
    return evaluated.get();
  }

  @Override
  public Evaluator evaluator() {
    return new LimitedEvaluator();
  }

  /** An evaluator that fails after the maximum number of templates. */
  private final class LimitedEvaluator implements Evaluator {

    private int used;

    @Override
    public void startOver() {
      // Earlier evaluations still count.
    }

    @Override
    public void check(JsonValue template, String path, Violations violations) {
      runOrReport(
          () -> SmallExpressions.render(template, LimitedEvaluator::requireKnownFilters),
          path,
          violations);
    }

    private static JsonValue requireKnownFilters(SmallExpression expression) {
      if (!expression.filters().stream().allMatch(SmallExpression.Filter::isKnown)) {
        throw new InvalidExpressionException();
      }
      return JsonNull.NULL;
    }

    @Override
    public Optional<JsonValue> render(
        JsonValue template, Map<String, JsonValue> scope, String path, Violations violations) {
      return runWithinLimit(
          () -> SmallExpressions.render(template, each -> evaluate(each, scope)), path, violations);
    }

    @Override
    public Optional<String> print(
        String template, Map<String, JsonValue> scope, String path, Violations violations) {
      return runWithinLimit(
          () -> SmallExpressions.print(template, each -> evaluate(each, scope)), path, violations);
    }

    @Override
    public Optional<String> alias(
        String template, Map<String, JsonValue> scope, String path, Violations violations) {
      return runWithinLimit(() -> SmallExpressions.this.alias(template, scope), path, violations);
    }

    private <T> Optional<T> runWithinLimit(Work<T> work, String path, Violations violations) {
      used++;
      evaluated.incrementAndGet();
      return runOrReport(
          used > maxTemplates ? LimitedEvaluator::limitExceeded : work, path, violations);
    }

    private static <T> T limitExceeded() {
      throw new InvalidExpressionException();
    }
  }

  private static <T> Optional<T> runOrReport(Work<T> work, String path, Violations violations) {
    try {
      return Optional.of(work.run());
    } catch (InvalidExpressionException invalid) {
      violations.add(path, MESSAGE);
      return Optional.empty();
    }
  }

  private static JsonValue evaluate(SmallExpression expression, Map<String, JsonValue> scope) {
    JsonValue value = new JsonObject(scope);
    for (String name : expression.head().split("\\.", -1)) {
      if (!(value instanceof JsonObject object) || !object.properties().containsKey(name)) {
        throw new InvalidExpressionException();
      }
      value = object.properties().get(name);
    }
    return expression.apply(value).orElseThrow(InvalidExpressionException::new);
  }

  private static JsonValue render(JsonValue template, Function<SmallExpression, JsonValue> values) {
    if (template instanceof JsonString string) {
      return render(string.value(), values);
    }
    if (template instanceof JsonArray array) {
      return new JsonArray(array.items().stream().map(each -> render(each, values)).toList());
    }
    if (template instanceof JsonObject object) {
      Map<String, JsonValue> properties = new LinkedHashMap<>();
      object.properties().forEach((name, value) -> properties.put(name, render(value, values)));
      return new JsonObject(properties);
    }
    return template;
  }

  private static JsonValue render(String text, Function<SmallExpression, JsonValue> values) {
    Matcher matcher = SmallExpression.IN_TEXT.matcher(text);
    return matcher.lookingAt() && matcher.end() == text.length()
        ? values.apply(parse(matcher))
        : JsonValue.of(print(text, values));
  }

  private static String print(String text, Function<SmallExpression, JsonValue> values) {
    return SmallExpression.IN_TEXT
        .matcher(text)
        .replaceAll(
            found -> Matcher.quoteReplacement(SmallExpression.text(values.apply(parse(found)))));
  }

  private static SmallExpression parse(MatchResult found) {
    return SmallExpression.parse(found.group(1)).orElseThrow(InvalidExpressionException::new);
  }

  private String alias(String template, Map<String, JsonValue> scope) {
    Matcher matcher = SmallExpression.IN_TEXT.matcher(template);
    if (!matcher.matches()) {
      throw new InvalidExpressionException();
    }
    SmallExpression expression = parse(matcher);
    int last = expression.filters().size() - 1;
    if (last < 0
        || !expression.filters().get(last).makesAlias()
        || expression.filters().get(last).arguments().size() != 2) {
      throw new InvalidExpressionException();
    }
    SmallExpression before =
        new SmallExpression(expression.head(), expression.filters().subList(0, last));
    return alias(SmallExpression.text(evaluate(before, scope)), expression.filters().get(last));
  }

  private String alias(String text, SmallExpression.Filter filter) {
    int first = filter.number(0);
    int last = filter.number(1);
    int replaced = text.length() - first - last;
    if (replaced < MIN_REPLACED || 2 * replaced < text.length()) {
      return random(Math.max(text.length(), MIN_REPLACED));
    }
    return text.substring(0, first) + random(replaced) + text.substring(text.length() - last);
  }

  private String random(int length) {
    StringBuilder random = new StringBuilder();
    for (int i = 0; i < length; i++) {
      random.append(ALPHABET.charAt(randomness.nextInt(ALPHABET.length())));
    }
    return random.toString();
  }

  @Override
  public References references(JsonValue template) {
    Set<String> ids = new LinkedHashSet<>();
    runOrThrow(
        () ->
            render(
                template,
                expression -> {
                  ids.add(expression.head());
                  return JsonNull.NULL;
                }));
    return new SmallReferences(template, ids);
  }

  private static <T> T runOrThrow(Work<T> work) {
    Violations violations = new Violations();
    Optional<T> result = runOrReport(work, Violations.WHOLE_REQUEST, violations);
    return result.orElseThrow(() -> ValidationException.of(Violations.WHOLE_REQUEST, MESSAGE));
  }

  private record SmallReferences(JsonValue template, Set<String> tokenIds) implements References {

    @Override
    public JsonValue render(Map<String, JsonValue> values) {
      return runOrThrow(
          () ->
              SmallExpressions.render(
                  template, expression -> applyFilters(expression, values.get(expression.head()))));
    }

    private static JsonValue applyFilters(SmallExpression expression, JsonValue value) {
      return value == JsonNull.NULL
          ? value
          : expression.apply(value).orElseThrow(InvalidExpressionException::new);
    }
  }

  /** Work that fails on an invalid expression. */
  private interface Work<T> {
    T run();
  }

  /** Thrown if an expression is invalid or fails on its value. */
  private static final class InvalidExpressionException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
