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
import java.util.stream.Collectors;

/** JSON without a library. For tests. */
public final class SmallJsonCodec implements JsonCodec {

  @Override
  public JsonValue read(byte[] utf8) {
    return SmallJsonReader.read(utf8);
  }

  @Override
  public byte[] write(JsonValue value) {
    return text(value).getBytes(StandardCharsets.UTF_8);
  }

  private static String text(JsonValue value) {
    if (value instanceof JsonString string) {
      return quoted(string.value());
    }
    if (value instanceof JsonNumber number) {
      return number.literal();
    }
    if (value instanceof JsonBoolean truth) {
      return String.valueOf(truth.value());
    }
    if (value instanceof JsonArray array) {
      return array.items().stream()
          .map(SmallJsonCodec::text)
          .collect(Collectors.joining(",", "[", "]"));
    }
    if (value instanceof JsonObject object) {
      return object.members().entrySet().stream()
          .map(SmallJsonCodec::text)
          .collect(Collectors.joining(",", "{", "}"));
    }
    return "null";
  }

  private static String text(Map.Entry<String, JsonValue> member) {
    return quoted(member.getKey()) + ":" + text(member.getValue());
  }

  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.chars().forEach(each -> quoted.append(escaped((char) each)));
    return quoted.append('"').toString();
  }

  private static String escaped(char each) {
    int place = "\"\\\b\f\n\r\t".indexOf(each);
    if (place >= 0) {
      return "\\" + "\"\\bfnrt".charAt(place);
    }
    return each < ' ' ? "\\u%04x".formatted((int) each) : String.valueOf(each);
  }
}
