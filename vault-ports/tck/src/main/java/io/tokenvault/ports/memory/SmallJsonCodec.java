package io.tokenvault.ports.memory;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonBoolean;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.ports.runtime.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** A JSON codec without a library, for tests. */
public final class SmallJsonCodec implements JsonCodec {

  private static final String ESCAPED = "\"\\\b\f\n\r\t";

  @Override
  public JsonValue read(byte[] utf8) {
    return SmallJsonReader.read(utf8);
  }

  @Override
  public byte[] write(JsonValue value) {
    StringBuilder json = new StringBuilder();
    write(value, json);
    return json.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void write(JsonValue value, StringBuilder json) {
    if (value instanceof JsonString string) {
      quote(string.value(), json);
    } else if (value instanceof JsonNumber number) {
      json.append(number.literal());
    } else if (value instanceof JsonBoolean bool) {
      json.append(bool.value());
    } else if (value instanceof JsonArray array) {
      String separator = "[";
      for (JsonValue item : array.items()) {
        write(item, json.append(separator));
        separator = ",";
      }
      json.append(array.items().isEmpty() ? "[]" : "]");
    } else if (value instanceof JsonObject object) {
      String separator = "{";
      for (Map.Entry<String, JsonValue> property : object.properties().entrySet()) {
        quote(property.getKey(), json.append(separator));
        write(property.getValue(), json.append(':'));
        separator = ",";
      }
      json.append(object.properties().isEmpty() ? "{}" : "}");
    } else {
      json.append("null");
    }
  }

  private static void quote(String text, StringBuilder json) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      int index = each == '"' || each == '\\' || each < ' ' ? ESCAPED.indexOf(each) : -1;
      if (index >= 0) {
        json.append('\\').append("\"\\bfnrt".charAt(index));
      } else if (each < ' ') {
        json.append("\\u%04x".formatted((int) each));
      } else {
        json.append(each);
      }
    }
    json.append('"');
  }
}
