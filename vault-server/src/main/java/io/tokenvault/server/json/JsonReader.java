package io.tokenvault.server.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.ports.spi.JsonCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.CharBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads one value, and refuses what Jackson would let pass. */
final class JsonReader {

  private final JsonParser parser;

  private JsonReader(JsonParser parser) {
    this.parser = parser;
  }

  /**
   * @throws ValidationException at {@code error}, if the text is not exactly one value
   */
  static JsonValue read(JsonFactory factory, CharBuffer text) {
    try (JsonParser parser = factory.createParser(text.array(), 0, text.length())) {
      return new JsonReader(parser).readDocument();
    } catch (JsonProcessingException e) {
      throw MalformedJson.at(e.getLocation(), "the body is not valid JSON");
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory failed", e);
    }
  }

  private JsonValue readDocument() throws IOException {
    JsonToken first = parser.nextToken();
    if (first == null) {
      throw MalformedJson.absent();
    }
    JsonValue value = readValue(first, 0);
    if (parser.nextToken() != null) {
      throw malformed("text follows the JSON value");
    }
    return value;
  }

  private JsonValue readValue(JsonToken token, int depth) throws IOException {
    return switch (token) {
      case START_OBJECT -> readObject(deeper(depth));
      case START_ARRAY -> readArray(deeper(depth));
      case VALUE_STRING -> JsonValue.of(checked(parser.getText()));
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser.getText());
      case VALUE_TRUE -> JsonValue.of(true);
      case VALUE_FALSE -> JsonValue.of(false);
      case VALUE_NULL -> JsonNull.NULL;
      case END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
          throw malformed("the body is not valid JSON");
    };
  }

  private int deeper(int depth) {
    if (depth == JsonCodec.MAX_DEPTH) {
      throw malformed("the JSON is nested deeper than " + JsonCodec.MAX_DEPTH + " levels");
    }
    return depth + 1;
  }

  private JsonValue readArray(int depth) throws IOException {
    List<JsonValue> items = new ArrayList<>();
    for (JsonToken next = parser.nextToken();
        next != JsonToken.END_ARRAY;
        next = parser.nextToken()) {
      items.add(readValue(next, depth));
    }
    return new JsonArray(items);
  }

  private JsonValue readObject(int depth) throws IOException {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      if (members.containsKey(checked(name))) {
        throw malformed("an object has a key twice");
      }
      members.put(name, readValue(parser.nextToken(), depth));
    }
    return new JsonObject(members);
  }

  private String checked(String text) {
    UnacceptableText.in(text)
        .ifPresent(
            found -> {
              throw malformed(found.problem());
            });
    return text;
  }

  private JsonNumber number(String literal) {
    if (literal.length() > JacksonJson.MAX_NUMBER_LENGTH) {
      throw malformed("a number has more than " + JacksonJson.MAX_NUMBER_LENGTH + " characters");
    }
    return new JsonNumber(literal);
  }

  private ValidationException malformed(String problem) {
    return MalformedJson.at(parser.currentTokenLocation(), problem);
  }
}
