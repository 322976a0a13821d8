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
  public JsonValue fill(JsonValue template, String path) {
    return fill(template, new Spot(Optional.empty(), path));
  }

  private JsonValue fill(JsonValue template, Spot spot) {
    if (violations.isFull() || isOutOfTime(spot)) {
      return JsonNull.NULL;
    }
    if (template instanceof JsonString string) {
      return fillString(string, spot);
    }
    if (template instanceof JsonArray array) {
      return fillItems(array, spot);
    }
    return template instanceof JsonObject object ? fillMembers(object, spot) : template;
  }

  /** Returns whether a limit is exhausted, noting it the first time. */
  private boolean isOutOfTime(Spot spot) {
    try {
      if (!spent) {
        limits.checkTime();
      }
    } catch (LimitsSpentException late) {
      note(late, spot);
    }
    return spent;
  }

  private JsonArray fillItems(JsonArray array, Spot spot) {
    List<JsonValue> items = new ArrayList<>(array.items().size());
    for (JsonValue item : array.items()) {
      items.add(fill(item, spot.item(items.size())));
    }
    return new JsonArray(items);
  }

  private JsonObject fillMembers(JsonObject object, Spot spot) {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    object.members().forEach((name, member) -> members.put(name, fill(member, spot.member(name))));
    return new JsonObject(members);
  }

  /** Returns a string with its expressions replaced. */
  private JsonValue fillString(JsonString string, Spot spot) {
    String text = string.value();
    Optional<ExpressionSpan> first = ExpressionSpan.next(text, 0);
    if (first.isEmpty()) {
      return string;
    }
    if (!first.get().covers(text)) {
      return JsonValue.of(print(text, spot));
    }
    JsonValue value = evaluate(text, first.get(), spot);
    count(TextValues.json(value), spot);
    return value;
  }

  /**
   * Returns a text in which the results of all expressions are inserted as text.
   *
   * @param path of the text, for violations
   */
  public String print(String text, String path) {
    return print(text, new Spot(Optional.empty(), path));
  }

  private String print(String text, Spot spot) {
    StringBuilder printed = new StringBuilder();
    int done = 0;
    Optional<ExpressionSpan> found = ExpressionSpan.next(text, 0);
    while (found.isPresent()) {
      ExpressionSpan span = found.get();
      printed.append(text, done, span.start());
      printed.append(count(TextValues.printed(evaluate(text, span, spot)), spot));
      done = span.end();
      found = ExpressionSpan.next(text, done);
    }
    return printed.append(text, done, text.length()).toString();
  }

  /** Returns the result of an expression; notes a failure and returns null for it. */
  private JsonValue evaluate(String text, ExpressionSpan span, Spot spot) {
    if (spent) {
      return JsonNull.NULL;
    }
    try {
      limits.checkTime();
      return reader.apply(text.substring(span.innerStart(), span.innerEnd())).value(limits);
    } catch (ExpressionException wrong) {
      note(wrong, spot);
      return JsonNull.NULL;
    }
  }

  /** Counts text that an expression printed. */
  private String count(String printed, Spot spot) {
    try {
      return spent ? "" : limits.printed(printed);
    } catch (LimitsSpentException wrong) {
      note(wrong, spot);
      return "";
    }
  }

  /** Adds a violation; one of the limits ends the evaluation of all further expressions. */
  private void note(ExpressionException wrong, Spot spot) {
    spent |= wrong instanceof LimitsSpentException;
    String path = spot.path();
    violations.add(path.isEmpty() ? Violations.WHOLE_REQUEST : path, wrong.getMessage());
  }

  /**
   * A position in a value. Its path is built for violations only, because names can be long and
   * many.
   */
  private record Spot(Optional<Spot> in, String step) {

    private static final int MAX_NAME = 200;

    Spot item(int index) {
      return new Spot(Optional.of(this), "[" + index + "]");
    }

    Spot member(String name) {
      return new Spot(Optional.of(this), name);
    }

    /** Returns the path, such as {@code data.items[0].name}, with long names shortened. */
    String path() {
      String before = in.map(Spot::path).orElse("");
      String shown = step.length() <= MAX_NAME ? step : step.substring(0, MAX_NAME) + "...";
      return before.isEmpty() || step.startsWith("[") ? before + shown : before + "." + shown;
    }
  }
}
