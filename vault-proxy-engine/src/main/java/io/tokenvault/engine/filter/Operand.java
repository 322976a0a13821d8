package io.tokenvault.engine.filter;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** A value between two filters; bytes, which only encodings can tell from their hex text. */
final class Operand {

  private final JsonValue value;
  private final byte[] bytes;

  private Operand(JsonValue value, byte[] bytes) {
    this.value = value;
    this.bytes = bytes;
  }

  static Operand of(JsonValue value) {
    return new Operand(value, null);
  }

  static Operand ofBytes(byte[] bytes) {
    return new Operand(JsonValue.of(HexFormat.of().formatHex(bytes)), bytes);
  }

  JsonValue value() {
    return value;
  }

  /** How much of it a filter looks at: its characters, or its parts but not theirs. */
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
    return value instanceof JsonObject object ? object.members().size() : 1;
  }

  String text() {
    return Texts.scalar(value);
  }

  /** The bytes, or those of the text in UTF-8. */
  byte[] bytes() {
    return bytes == null ? text().getBytes(StandardCharsets.UTF_8) : bytes;
  }

  @Override
  public String toString() {
    return "Operand[redacted]";
  }
}
