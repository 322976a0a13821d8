package io.tokenvault.engine.filter;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * A value between two filters. Bytes, such as an HMAC, are represented by their hexadecimal text;
 * only filters that encode see the bytes themselves.
 */
final class FilterValue {

  private final JsonValue value;
  private final byte[] bytes;

  private FilterValue(JsonValue value, byte[] bytes) {
    this.value = value;
    this.bytes = bytes;
  }

  static FilterValue of(JsonValue value) {
    return new FilterValue(value, null);
  }

  /** Returns bytes, whose value is their hexadecimal text. The array is not copied. */
  static FilterValue ofBytes(byte[] bytes) {
    return new FilterValue(JsonValue.of(HexFormat.of().formatHex(bytes)), bytes);
  }

  /** Returns the JSON value; for bytes, it is their hexadecimal text. */
  JsonValue value() {
    return value;
  }

  /** Returns the amount that a filter processes: characters, or direct items and properties. */
  long extent() {
    if (value instanceof JsonString text) {
      return text.value().length();
    }
    if (value instanceof JsonNumber number) {
      return number.literal().length();
    }
    if (value instanceof JsonArray array) {
      return array.items().size();
    }
    return value instanceof JsonObject object ? object.properties().size() : 1;
  }

  /**
   * Returns a scalar as text.
   *
   * @throws ExpressionException if the value is a list or an object
   */
  String text() {
    return TextValues.scalar(value);
  }

  /** Returns the bytes, or the text in UTF-8. */
  byte[] bytes() {
    return bytes == null ? text().getBytes(StandardCharsets.UTF_8) : bytes;
  }

  @Override
  public String toString() {
    return "FilterValue[redacted]";
  }
}
