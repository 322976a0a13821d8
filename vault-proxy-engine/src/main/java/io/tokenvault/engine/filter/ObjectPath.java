package io.tokenvault.engine.filter;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.engine.filter.value.ExpressionException;
import io.tokenvault.engine.filter.value.TextCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A reference to a value by name, in Liquid's syntax: {@code data.items[0]['a b']}. A negative
 * index counts from the end. Immutable.
 */
public final class ObjectPath {

  /** Largest number of digits of an index, which keeps it within an int. */
  private static final int MAX_INDEX_DIGITS = 7;

  private static final String SYNTAX = "names no property; write it as data.name or data['a name']";

  private final String root;
  private final List<Step> steps;

  private ObjectPath(String root, List<Step> steps) {
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

  /** Parses an index or a quoted name up to the closing bracket. */
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
   * Returns the value that this path refers to.
   *
   * @param scope values by name
   * @throws ExpressionException if the name is unknown or there is no such value
   */
  public JsonValue resolve(Map<String, JsonValue> scope) {
    JsonValue value = scope.get(root);
    if (value == null) {
      throw new ExpressionException(
          "must start with " + String.join(" or ", scope.keySet().stream().sorted().toList()));
    }
    for (Step step : steps) {
      value = step.from(value);
      if (value == null) {
        throw new ExpressionException("names a property that does not exist");
      }
    }
    return value;
  }

  /** A step from a value to one of its items or properties. */
  private interface Step {
    /** Returns the item or property, or null if there is none. */
    JsonValue from(JsonValue value);
  }

  /** A step to a property. */
  private record Member(String name) implements Step {
    @Override
    public JsonValue from(JsonValue value) {
      return value instanceof JsonObject object ? object.members().get(name) : null;
    }
  }

  /** A step to an item. */
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
