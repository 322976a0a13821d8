package io.tokenvault.engine.expression.template;

import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.engine.filter.EvaluationLimits;
import io.tokenvault.engine.filter.EvaluationLimits.LimitsSpentException;
import io.tokenvault.engine.filter.ExpressionException;
import io.tokenvault.engine.filter.TextValues;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Replaces the expressions in the strings of a JSON value, and collects the violations of all of
 * them. An instance serves one template.
 */
public final class TemplateEvaluation {

  /** A parsed expression. */
  @FunctionalInterface
  public interface Evaluation {
    /**
     * Evaluates the expression.
     *
     * @throws ExpressionException if it fails or the limits are exhausted
     */
    JsonValue value(EvaluationLimits limits);
  }

  private final Function<String, Evaluation> reader;
  private final EvaluationLimits limits;
  private final Violations violations = new Violations();
  private boolean spent;

  /**
   * Creates an evaluation without violations.
   *
   * @param reader parses the text between the braces of an expression; throws an {@link
   *     ExpressionException} if it is invalid
   */
  public TemplateEvaluation(Function<String, Evaluation> reader, EvaluationLimits limits) {
    this.reader = reader;
    this.limits = limits;
  }

  /** Returns the violations found so far. If there are any, the results are useless. */
  public Violations violations() {
    return violations;
  }

  /**
   * Returns the value with its expressions replaced. An expression that is a whole string becomes a
   * JSON value; within a longer string, it becomes text.
   *
   * @param path of the value, for violations; empty for the whole request
   */
  public JsonValue render(JsonValue template, String path) {
    return render(template, new Location(Optional.empty(), path));
  }

  private JsonValue render(JsonValue template, Location location) {
    if (violations.isFull() || isOutOfTime(location)) {
      return JsonNull.NULL;
    }
    if (template instanceof JsonString string) {
      return fillString(string, location);
    }
    if (template instanceof JsonArray array) {
      return fillItems(array, location);
    }
    return template instanceof JsonObject object ? fillProperties(object, location) : template;
  }

  /** Returns whether a limit is exhausted, noting it the first time. */
  private boolean isOutOfTime(Location location) {
    try {
      if (!spent) {
        limits.checkTime();
      }
    } catch (LimitsSpentException late) {
      note(late, location);
    }
    return spent;
  }

  private JsonArray fillItems(JsonArray array, Location location) {
    List<JsonValue> items = new ArrayList<>(array.items().size());
    for (JsonValue item : array.items()) {
      items.add(render(item, location.item(items.size())));
    }
    return new JsonArray(items);
  }

  private JsonObject fillProperties(JsonObject object, Location location) {
    Map<String, JsonValue> properties = new LinkedHashMap<>();
    object
        .properties()
        .forEach(
            (name, property) -> properties.put(name, render(property, location.property(name))));
    return new JsonObject(properties);
  }

  /** Returns a string with its expressions replaced. */
  private JsonValue fillString(JsonString string, Location location) {
    String text = string.value();
    Optional<ExpressionSpan> first = ExpressionSpan.next(text, 0);
    if (first.isEmpty()) {
      return string;
    }
    if (!first.get().covers(text)) {
      return JsonValue.of(print(text, location));
    }
    JsonValue value = evaluate(text, first.get(), location);
    count(TextValues.json(value), location);
    return value;
  }

  /**
   * Returns a text in which the results of all expressions are inserted as text.
   *
   * @param path of the text, for violations
   */
  public String print(String text, String path) {
    return print(text, new Location(Optional.empty(), path));
  }

  private String print(String text, Location location) {
    StringBuilder printed = new StringBuilder();
    int done = 0;
    Optional<ExpressionSpan> found = ExpressionSpan.next(text, 0);
    while (found.isPresent()) {
      ExpressionSpan span = found.get();
      printed.append(text, done, span.start());
      printed.append(count(TextValues.printed(evaluate(text, span, location)), location));
      done = span.end();
      found = ExpressionSpan.next(text, done);
    }
    return printed.append(text, done, text.length()).toString();
  }

  /** Returns the result of an expression; notes a failure and returns null for it. */
  private JsonValue evaluate(String text, ExpressionSpan span, Location location) {
    if (spent) {
      return JsonNull.NULL;
    }
    try {
      limits.checkTime();
      return reader.apply(text.substring(span.innerStart(), span.innerEnd())).value(limits);
    } catch (ExpressionException wrong) {
      note(wrong, location);
      return JsonNull.NULL;
    }
  }

  /** Counts text that an expression printed. */
  private String count(String printed, Location location) {
    try {
      return spent ? "" : limits.printed(printed);
    } catch (LimitsSpentException wrong) {
      note(wrong, location);
      return "";
    }
  }

  /** Adds a violation; one of the limits ends the evaluation of all further expressions. */
  private void note(ExpressionException wrong, Location location) {
    spent |= wrong instanceof LimitsSpentException;
    String path = location.path();
    violations.add(path.isEmpty() ? Violations.WHOLE_REQUEST : path, wrong.getMessage());
  }

  /**
   * A position in a value. Its path is built for violations only, because names can be long and
   * many.
   */
  private record Location(Optional<Location> in, String step) {

    private static final int MAX_NAME = 200;

    Location item(int index) {
      return new Location(Optional.of(this), "[" + index + "]");
    }

    Location property(String name) {
      return new Location(Optional.of(this), name);
    }

    /** Returns the path, such as {@code data.items[0].name}, with long names shortened. */
    String path() {
      String before = in.map(Location::path).orElse("");
      String shown = step.length() <= MAX_NAME ? step : step.substring(0, MAX_NAME) + "...";
      return before.isEmpty() || step.startsWith("[") ? before + shown : before + "." + shown;
    }
  }
}
