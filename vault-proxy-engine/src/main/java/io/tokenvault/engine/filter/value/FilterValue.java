package io.tokenvault.engine.filter.value;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** A value between two filters; bytes, which only encodings can tell from their hex text. */
public final class FilterValue {

  private final JsonValue value;
  private final byte[] bytes;

  private FilterValue(JsonValue value, byte[] bytes) {
    this.value = value;
    this.bytes = bytes;
  }

  public static FilterValue of(JsonValue value) {
    return new FilterValue(value, null);
  }

  public static FilterValue ofBytes(byte[] bytes) {
    return new FilterValue(JsonValue.of(HexFormat.of().formatHex(bytes)), bytes);
  }

  public JsonValue value() {
    return value;
  }

  /** How much of it a filter looks at: its characters, or its parts but not theirs. */
  public long extent() {
    if (value instanceof JsonString text) {
      return text.value().length();
    }
    if (value instanceof JsonNumber number) {
      return number.literal().length();
    }
    if (value instanceof JsonArray array) {
      return array.items().size();
    }
    return value instanceof JsonObject object ? object.members().size() : 1;
  }

  public String text() {
    return TextValues.scalar(value);
  }

  /** The bytes, or those of the text in UTF-8. */
  public byte[] bytes() {
    return bytes == null ? text().getBytes(StandardCharsets.UTF_8) : bytes;
  }

  @Override
  public String toString() {
    return "Operand[redacted]";
  }
}
