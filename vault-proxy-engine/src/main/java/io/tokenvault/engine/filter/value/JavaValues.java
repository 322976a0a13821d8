package io.tokenvault.engine.filter.value;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonBoolean;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Conversion between JSON values and the objects that the libraries use. Numbers keep all digits.
 */
public final class JavaValues {

  private JavaValues() {}

  /** Returns the object for a value; null for JSON null. */
  public static Object of(JsonValue value) {
    if (value instanceof JsonString string) {
      return string.value();
    }
    if (value instanceof JsonNumber number) {
      return new Numeral(number.literal());
    }
    if (value instanceof JsonBoolean bool) {
      return bool.value();
    }
    if (value instanceof JsonArray array) {
      return list(array);
    }
    return value instanceof JsonObject object ? map(object) : null;
  }

  private static List<Object> list(JsonArray array) {
    List<Object> items = new ArrayList<>(array.items().size());
    array.items().forEach(item -> items.add(of(item)));
    return items;
  }

  private static Map<String, Object> map(JsonObject object) {
    Map<String, Object> members = new LinkedHashMap<>();
    object.members().forEach((name, member) -> members.put(name, of(member)));
    return members;
  }

  /** Returns the JSON value for an object that a library returned. */
  public static JsonValue toJson(Object value) {
    if (value == null) {
      return JsonNull.NULL;
    }
    if (value instanceof String string) {
      return JsonValue.of(string);
    }
    if (value instanceof Boolean bool) {
      return JsonValue.of(bool);
    }
    if (value instanceof Number number) {
      return new JsonNumber(number.toString());
    }
    if (value instanceof Object[] items) {
      return array(Arrays.asList(items));
    }
    return value instanceof Map<?, ?> members ? object(members) : array((Collection<?>) value);
  }

  private static JsonArray array(Collection<?> items) {
    return new JsonArray(items.stream().map(JavaValues::toJson).toList());
  }

  private static JsonObject object(Map<?, ?> map) {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    map.forEach((name, member) -> members.put((String) name, toJson(member)));
    return new JsonObject(members);
  }

  /** A number represented by its literal. */
  private static final class Numeral extends Number {

    private static final long serialVersionUID = 1L;

    private final String literal;

    private Numeral(String literal) {
      this.literal = literal;
    }

    @Override
    public int intValue() {
      return (int) doubleValue();
    }

    @Override
    public long longValue() {
      return (long) doubleValue();
    }

    @Override
    public float floatValue() {
      return (float) doubleValue();
    }

    @Override
    public double doubleValue() {
      return Double.parseDouble(literal);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Numeral numeral && literal.equals(numeral.literal);
    }

    @Override
    public int hashCode() {
      return literal.hashCode();
    }

    @Override
    public String toString() {
      return literal;
    }
  }
}
