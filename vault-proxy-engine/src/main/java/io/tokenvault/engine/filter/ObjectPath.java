package io.tokenvault.engine.filter;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.engine.filter.value.ExpressionException;
import io.tokenvault.engine.filter.value.TextCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A value by name, as Liquid writes it: {@code data.items[0]['a b']}. */
public final class ObjectPath {

  private static final int MAX_INDEX_DIGITS = 7;
  private static final String SYNTAX = "names nothing; write it like data.name or data['a name']";

  private final String root;
  private final List<Step> steps;

  private ObjectPath(String root, List<Step> steps) {
    this.root = root;
    this.steps = List.copyOf(steps);
  }

  /**
   * Reads a text that is nothing but a path.
   *
   * @throws ExpressionException if it is something else
   */
  public static ObjectPath parse(String text) {
    TextCursor cursor = new TextCursor(text);
    ObjectPath path = read(cursor);
    if (!cursor.atEnd()) {
      throw new ExpressionException(SYNTAX);
    }
    return path;
  }

  /** Reads as far as the path goes. */
  static ObjectPath read(TextCursor cursor) {
    String root = name(cursor);
    List<Step> steps = new ArrayList<>();
    while (true) {
      if (cursor.take('.')) {
        steps.add(new Member(name(cursor)));
      } else if (cursor.take('[')) {
        steps.add(bracketed(cursor));
      } else {
        return new ObjectPath(root, steps);
      }
    }
  }

  private static String name(TextCursor cursor) {
    String name = cursor.takeWhile(ObjectPath::isNamePart);
    if (name.isEmpty()) {
      throw new ExpressionException(SYNTAX);
    }
    return name;
  }

  private static boolean isNamePart(int character) {
    return Character.isLetterOrDigit(character) || character == '_' || character == '-';
  }

  private static Step bracketed(TextCursor cursor) {
    cursor.skipSpace();
    boolean isName = cursor.peek() == '\'' || cursor.peek() == '"';
    Step step = isName ? new Member(cursor.quoted()) : index(cursor);
    if (!cursor.takeNext(']')) {
      throw new ExpressionException(SYNTAX);
    }
    return step;
  }

  private static Step index(TextCursor cursor) {
    boolean fromEnd = cursor.take('-');
    String digits = cursor.takeWhile(each -> each >= '0' && each <= '9');
    if (digits.isEmpty() || digits.length() > MAX_INDEX_DIGITS) {
      throw new ExpressionException(SYNTAX);
    }
    int index = Integer.parseInt(digits);
    return new Index(fromEnd ? -index : index);
  }

  /**
   * @throws ExpressionException if there is nothing of that name
   */
  public JsonValue resolve(Map<String, JsonValue> scope) {
    JsonValue value = scope.get(root);
    if (value == null) {
      throw new ExpressionException(
          "names something else than "
              + String.join(" or ", scope.keySet().stream().sorted().toList()));
    }
    for (Step step : steps) {
      value = step.from(value);
      if (value == null) {
        throw new ExpressionException("names something that is not there");
      }
    }
    return value;
  }

  private interface Step {
    /** Null if there is none. */
    JsonValue from(JsonValue value);
  }

  private record Member(String name) implements Step {
    @Override
    public JsonValue from(JsonValue value) {
      return value instanceof JsonObject object ? object.members().get(name) : null;
    }
  }

  private record Index(int index) implements Step {
    @Override
    public JsonValue from(JsonValue value) {
      if (!(value instanceof JsonArray array)) {
        return null;
      }
      int place = index < 0 ? array.items().size() + index : index;
      return place >= 0 && place < array.items().size() ? array.items().get(place) : null;
    }
  }
}
