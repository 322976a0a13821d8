package io.tokenvault.engine.filter;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonBoolean;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Conversion of values to text and to Java objects, and measures of text. Lengths and positions are
 * in code points, so that no character is split.
 */
public final class TextValues {

  private static final ObjectWriter JSON = new ObjectMapper().writer();
  private static final ObjectWriter SORTED_JSON =
      JSON.with(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);

  private TextValues() {}

  /**
   * Returns a value as an expression prints it within a text: a string as its content, null as
   * nothing, and any other value as JSON.
   */
  public static String printed(JsonValue value) {
    if (value instanceof JsonString string) {
      return string.value();
    }
    return value == JsonNull.NULL ? "" : json(value);
  }

  /** Returns the JSON of a value without whitespace; numbers keep their literals. */
  public static String json(JsonValue value) {
    return written(value, JSON);
  }

  /**
   * Returns JSON that is identical for two values if and only if they are equal; the order of
   * properties does not matter.
   */
  static String sortedJson(JsonValue value) {
    return written(value, SORTED_JSON);
  }

  private static String written(JsonValue value, ObjectWriter writer) {
    try {
      return writer.writeValueAsString(toJava(value));
    } catch (JsonProcessingException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /**
   * Returns a value as Jackson and JsonPath take it: a string, number, boolean, list or map, or
   * null for JSON null. A number keeps its literal.
   */
  static Object toJava(JsonValue value) {
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
    array.items().forEach(item -> items.add(toJava(item)));
    return items;
  }

  private static Map<String, Object> map(JsonObject object) {
    Map<String, Object> properties = new LinkedHashMap<>();
    object.properties().forEach((name, property) -> properties.put(name, toJava(property)));
    return properties;
  }

  /**
   * Returns the text of a string, number or boolean, or an empty text for null.
   *
   * @throws ExpressionException if the value is a list or an object
   */
  public static String scalar(JsonValue value) {
    if (value instanceof JsonArray || value instanceof JsonObject) {
      throw new ExpressionException("requires a string, not a list or an object");
    }
    return printed(value);
  }

  /** Returns the number of bytes of a text in UTF-8. */
  public static long size(String text) {
    long bytes = text.length();
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      // Units from 0x800 on have three bytes, but a surrogate is half of a character of four.
      bytes += unit < 0x80 ? 0 : unit < 0x800 || Character.isSurrogate(unit) ? 1 : 2;
    }
    return bytes;
  }

  /** Returns whether a text has more than a number of bytes in UTF-8. */
  public static boolean isLonger(String text, int bytes) {
    // Most texts are too short to be counted.
    return text.length() > bytes / 3 && size(text) > bytes;
  }

  /** Returns the size of a value with all of its parts: characters, and one for each part. */
  static long extent(JsonValue value) {
    if (value instanceof JsonString text) {
      return 1L + text.value().length();
    }
    if (value instanceof JsonNumber number) {
      return number.literal().length();
    }
    long extent = 1;
    if (value instanceof JsonArray array) {
      for (JsonValue item : array.items()) {
        extent += extent(item);
      }
    } else if (value instanceof JsonObject object) {
      for (Map.Entry<String, JsonValue> property : object.properties().entrySet()) {
        extent += 1 + property.getKey().length() + extent(property.getValue());
      }
    }
    return extent;
  }

  /** Returns the number of characters, counted in code points. */
  public static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  /** Returns the characters from one position up to another, counted in code points. */
  public static String cut(String text, int from, int to) {
    int start = text.offsetByCodePoints(0, from);
    return text.substring(start, text.offsetByCodePoints(start, to - from));
  }

  /** A number represented by its literal, so that it keeps all digits. */
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
