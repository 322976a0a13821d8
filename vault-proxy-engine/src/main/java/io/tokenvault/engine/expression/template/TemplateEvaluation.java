package io.tokenvault.engine.expression.template;

import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.engine.filter.value.EvaluationLimits;
import io.tokenvault.engine.filter.value.ExpressionException;
import io.tokenvault.engine.filter.value.LimitsSpentException;
import io.tokenvault.engine.filter.value.TextValues;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Replaces the expressions of one template, and notes what is wrong with any of them. */
public final class TemplateEvaluation {

  /** Reads an expression. */
  @FunctionalInterface
  public interface Reader {
    /**
     * @param inner the text between the braces
     * @throws ExpressionException if it is wrong
     */
    Evaluation read(String inner);
  }

  /** An expression that can be evaluated. */
  @FunctionalInterface
  public interface Evaluation {
    /**
     * @throws ExpressionException if it fails
     */
    JsonValue value(EvaluationLimits limits);
  }

  private final Reader reader;
  private final EvaluationLimits limits;
  private final Violations violations = new Violations();
  private boolean spent;

  public TemplateEvaluation(Reader reader, EvaluationLimits limits) {
    this.reader = reader;
    this.limits = limits;
  }

  /** What was found wrong so far; if there is anything, the results are of no use. */
  public Violations violations() {
    return violations;
  }

  /**
   * @param path of the value; empty for the whole
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

  private JsonValue evaluate(String text, ExpressionSpan span, Spot spot) {
    if (spent) {
      return JsonNull.NULL;
    }
    try {
      limits.checkTime();
      return reader.read(text.substring(span.innerStart(), span.innerEnd())).value(limits);
    } catch (ExpressionException wrong) {
      note(wrong, spot);
      return JsonNull.NULL;
    }
  }

  private String count(String printed, Spot spot) {
    try {
      return spent ? "" : limits.printed(printed);
    } catch (LimitsSpentException wrong) {
      note(wrong, spot);
      return "";
    }
  }

  private void note(ExpressionException wrong, Spot spot) {
    spent |= wrong instanceof LimitsSpentException;
    String path = spot.path();
    violations.add(path.isEmpty() ? Violations.WHOLE_REQUEST : path, wrong.getMessage());
  }

  /** Where something is. Written out only where something is wrong: names can be long and many. */
  private record Spot(Optional<Spot> in, String step) {

    private static final int MAX_NAME = 200;

    Spot item(int index) {
      return new Spot(Optional.of(this), "[" + index + "]");
    }

    Spot member(String name) {
      return new Spot(Optional.of(this), name);
    }

    String path() {
      String before = in.map(Spot::path).orElse("");
      String shown = step.length() <= MAX_NAME ? step : step.substring(0, MAX_NAME) + "...";
      return before.isEmpty() || step.startsWith("[") ? before + shown : before + "." + shown;
    }
  }
}
