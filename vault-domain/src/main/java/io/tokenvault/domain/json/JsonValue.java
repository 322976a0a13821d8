package io.tokenvault.domain.json;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * An immutable JSON value (RFC 8259). Values are often sensitive, so {@code toString} contains the
 * kind only. Properties retain their order, and numbers their digits.
 */
public sealed interface JsonValue {

  /** The {@code null} literal. */
  enum JsonNull implements JsonValue {
    NULL
  }

  /** The literal {@code true} or {@code false}. */
  record JsonBoolean(boolean value) implements JsonValue {
    @Override
    public String toString() {
      return "JsonBoolean[redacted]";
    }
  }

  /** A number as it was written (RFC 8259, section 6), so that no digit is lost. */
  record JsonNumber(String literal) implements JsonValue {

    private static final Pattern GRAMMAR =
        Pattern.compile("-?+(?:0|[1-9][0-9]*+)(?:\\.[0-9]++)?+(?:[eE][+-]?+[0-9]++)?+");

    public JsonNumber {
      if (!GRAMMAR.matcher(literal).matches()) {
        throw new IllegalArgumentException("not a JSON number");
      }
    }

    @Override
    public String toString() {
      return "JsonNumber[redacted]";
    }
  }

  /** A string without lone surrogates. */
  record JsonString(String value) implements JsonValue {
    public JsonString {
      Objects.requireNonNull(value, "value");
    }

    @Override
    public String toString() {
      return "JsonString[redacted]";
    }
  }

  /** An array of values. */
  record JsonArray(List<JsonValue> items) implements JsonValue {
    public JsonArray {
      items = List.copyOf(items);
    }

    @Override
    public String toString() {
      return "JsonArray[redacted]";
    }
  }

  /** An object; property names are unique. */
  record JsonObject(Map<String, JsonValue> properties) implements JsonValue {
    public JsonObject {
      properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
    }

    @Override
    public String toString() {
      return "JsonObject[redacted]";
    }
  }

  static JsonValue of(boolean value) {
    return new JsonBoolean(value);
  }

  static JsonValue of(long value) {
    return new JsonNumber(Long.toString(value));
  }

  static JsonValue of(String value) {
    return new JsonString(value);
  }
}
