package io.tokenvault.engine.expression.template;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON without limits of length, which the bodies and tokens that contain it have already.
 */
public final class JsonText {

  private static final JsonFactory JSON = factory(StreamReadConstraints.DEFAULT_MAX_DEPTH);

  private JsonText() {}

  /**
   * Returns a factory of readers and writers that limits only the depth of what is read, and caches
   * no property names.
   */
  public static JsonFactory factory(int maxDepth) {
    return JsonFactory.builder()
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(maxDepth)
                .maxStringLength(Integer.MAX_VALUE)
                .maxNameLength(Integer.MAX_VALUE)
                .maxNumberLength(Integer.MAX_VALUE)
                .build())
        .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
        .build();
  }

  /**
   * Returns the content of a string, or the JSON of any other value unchanged.
   *
   * @throws IllegalStateException if the data is not JSON
   */
  public static String content(String json) {
    try (JsonParser parser = JSON.createParser(json)) {
      return parser.nextToken() == JsonToken.VALUE_STRING ? parser.getText() : json;
    } catch (IOException malformed) {
      throw unreadable();
    }
  }

  /**
   * Parses the data of a token.
   *
   * @throws IllegalStateException if the data is not JSON
   */
  public static JsonValue read(String json) {
    try (JsonParser parser = JSON.createParser(json)) {
      parser.nextToken();
      return value(parser);
    } catch (IOException malformed) {
      throw unreadable();
    }
  }

  /** Returns a failure without its cause, which would quote the data. */
  private static IllegalStateException unreadable() {
    return new IllegalStateException("the data of a token is not JSON");
  }

  private static JsonValue value(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    if (token == null) {
      throw unreadable();
    }
    return switch (token) {
      case VALUE_STRING -> JsonValue.of(parser.getText());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new JsonNumber(parser.getText());
      case VALUE_TRUE -> JsonValue.of(true);
      case VALUE_FALSE -> JsonValue.of(false);
      case START_ARRAY -> array(parser);
      case START_OBJECT -> object(parser);
      default -> JsonNull.NULL;
    };
  }

  private static JsonArray array(JsonParser parser) throws IOException {
    List<JsonValue> items = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      items.add(value(parser));
    }
    return new JsonArray(items);
  }

  private static JsonObject object(JsonParser parser) throws IOException {
    Map<String, JsonValue> properties = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      parser.nextToken();
      properties.put(name, value(parser));
    }
    return new JsonObject(properties);
  }
}
