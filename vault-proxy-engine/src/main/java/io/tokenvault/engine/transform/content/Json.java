package io.tokenvault.engine.transform.content;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/** JSON between the server and workers, and that of bodies. Nothing of it is trusted. */
public final class Json {

  private static final int MAX_DEPTH = 500;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .build())
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .build();
  private static final ObjectMapper MAPPER =
      new ObjectMapper(FACTORY).enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private Json() {}

  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /**
   * @throws UnusableContentException if it is not one JSON text
   */
  public static JsonNode read(String text) throws UnusableContentException {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException malformed) {
      throw malformed();
    }
  }

  static JsonParser parser(byte[] utf8) throws IOException {
    return FACTORY.createParser(utf8);
  }

  public static String write(JsonNode value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("a tree of JSON could not be written");
    }
  }

  /** Without making anything of it. */
  static void requireOneValue(byte[] utf8) throws UnusableContentException {
    try (JsonParser parser = parser(utf8)) {
      boolean empty = parser.nextToken() == null;
      if (empty || parser.skipChildren().nextToken() != null) {
        throw malformed();
      }
    } catch (IOException malformed) {
      throw malformed();
    }
  }

  /** Without the cause, which quotes what could not be read. */
  static UnusableContentException malformed() {
    return new UnusableContentException("is not valid JSON");
  }
}
