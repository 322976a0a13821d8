package io.tokenvault.engine.filter;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A reference to a value by name, in Liquid's syntax: {@code data.items[0]['a b']}. A negative
 * index counts from the end. Immutable.
 */
public final class ObjectPath {

  /** Largest number of digits of an index, which keeps it within an int. */
  private static final int MAX_INDEX_DIGITS = 7;

  private static final String SYNTAX = "names no property; write it as data.name or data['a name']";

  private final String root;

  /** Steps from a value to one of its items or properties; null if there is none. */
  private final List<UnaryOperator<JsonValue>> steps;

  private ObjectPath(String root, List<UnaryOperator<JsonValue>> steps) {
    this.root = root;
    this.steps = List.copyOf(steps);
  }

  /**
   * Parses a text that consists of a path only.
   *
   * @throws ExpressionException if it contains anything else
   */
  public static ObjectPath parse(String text) {
    TextCursor cursor = new TextCursor(text);
    ObjectPath path = read(cursor);
    if (!cursor.atEnd()) {
      throw new ExpressionException(SYNTAX);
    }
    return path;
  }

  /**
   * Parses a path and leaves the cursor behind it.
   *
   * @throws ExpressionException if there is no path at the cursor
   */
  static ObjectPath read(TextCursor cursor) {
    String root = name(cursor);
    List<UnaryOperator<JsonValue>> steps = new ArrayList<>();
    while (true) {
      if (cursor.take('.')) {
        steps.add(property(name(cursor)));
      } else if (cursor.take('[')) {
        steps.add(bracketed(cursor));
      } else {
        return new ObjectPath(root, steps);
      }
    }
  }

  private static String name(TextCursor cursor) {
    String name =
        cursor.takeWhile(each -> Character.isLetterOrDigit(each) || each == '_' || each == '-');
    if (name.isEmpty()) {
      throw new ExpressionException(SYNTAX);
    }
    return name;
  }

  /** Parses an index or a quoted name up to the closing bracket. */
  private static UnaryOperator<JsonValue> bracketed(TextCursor cursor) {
    cursor.skipSpace();
    boolean isName = cursor.peek() == '\'' || cursor.peek() == '"';
    UnaryOperator<JsonValue> step = isName ? property(cursor.quoted()) : item(readIndex(cursor));
    if (!cursor.takeNext(']')) {
      throw new ExpressionException(SYNTAX);
    }
    return step;
  }

  private static int readIndex(TextCursor cursor) {
    boolean fromEnd = cursor.take('-');
    String digits = cursor.takeWhile(each -> each >= '0' && each <= '9');
    if (digits.isEmpty() || digits.length() > MAX_INDEX_DIGITS) {
      throw new ExpressionException(SYNTAX);
    }
    int index = Integer.parseInt(digits);
    return fromEnd ? -index : index;
  }

  private static UnaryOperator<JsonValue> property(String name) {
    return value -> value instanceof JsonObject object ? object.properties().get(name) : null;
  }

  private static UnaryOperator<JsonValue> item(int index) {
    return value -> {
      List<JsonValue> items = value instanceof JsonArray array ? array.items() : List.of();
      int place = index < 0 ? items.size() + index : index;
      return place >= 0 && place < items.size() ? items.get(place) : null;
    };
  }

  /**
   * Returns the value that this path refers to.
   *
   * @throws ExpressionException if the name is unknown or there is no such value
   */
  public JsonValue resolve(Map<String, JsonValue> scope) {
    JsonValue value = scope.get(root);
    if (value == null) {
      throw new ExpressionException(
          "must start with " + String.join(" or ", scope.keySet().stream().sorted().toList()));
    }
    for (UnaryOperator<JsonValue> step : steps) {
      value = step.apply(value);
      if (value == null) {
        throw new ExpressionException("names a property that does not exist");
      }
    }
    return value;
  }
}
