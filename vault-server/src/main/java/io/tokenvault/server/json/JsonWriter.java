package io.tokenvault.server.json;

import com.fasterxml.jackson.core.JsonGenerator;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonBoolean;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import java.io.IOException;
import java.util.Map;

/** Writes a value without insignificant whitespace. */
final class JsonWriter {

  private JsonWriter() {}

  /**
   * Writes a value and everything in it, in the order of its fields.
   *
   * @throws IllegalArgumentException if a string cannot be represented
   */
  static void write(JsonValue value, JsonGenerator generator) throws IOException {
    if (value instanceof JsonObject object) {
      writeObject(object, generator);
    } else if (value instanceof JsonArray array) {
      writeArray(array, generator);
    } else if (value instanceof JsonString string) {
      generator.writeString(checked(string.value()));
    } else if (value instanceof JsonNumber number) {
      generator.writeNumber(number.literal());
    } else if (value instanceof JsonBoolean bool) {
      generator.writeBoolean(bool.value());
    } else {
      generator.writeNull();
    }
  }

  private static void writeObject(JsonObject object, JsonGenerator generator) throws IOException {
    generator.writeStartObject();
    for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
      generator.writeFieldName(checked(member.getKey()));
      write(member.getValue(), generator);
    }
    generator.writeEndObject();
  }

  private static void writeArray(JsonArray array, JsonGenerator generator) throws IOException {
    generator.writeStartArray();
    for (JsonValue item : array.items()) {
      write(item, generator);
    }
    generator.writeEndArray();
  }

  /** Rejects a string that {@link JsonReader} would not accept. */
  private static String checked(String text) {
    UnacceptableText.in(text)
        .ifPresent(
            found -> {
              throw new IllegalArgumentException(found.problem());
            });
    return text;
  }
}
