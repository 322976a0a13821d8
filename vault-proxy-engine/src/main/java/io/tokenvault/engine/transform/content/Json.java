package io.tokenvault.engine.transform.content;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.engine.expression.template.JsonText;
import java.io.IOException;
import java.util.regex.Pattern;

/**
 * Reader and writer of the JSON that the server exchanges with workers, of JSON bodies, and of the
 * descriptions of packages.
 *
 * <p>The input is not trusted: its depth is limited, text after it is an error, and error messages
 * do not quote it. Its length is limited elsewhere, by the messages, bodies and files that contain
 * it.
 */
public final class Json {

  private static final int MAX_DEPTH = 500;

  private static final JsonFactory FACTORY = JsonText.factory(MAX_DEPTH);
  private static final ObjectMapper MAPPER =
      new ObjectMapper(FACTORY).enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private static final Pattern UNACCEPTABLE = Pattern.compile("[\\x00\\p{Cs}]");

  private Json() {}

  /**
   * Returns the text with U+FFFD for each NUL and lone surrogate, which the vault's JSON rejects.
   */
  public static String acceptable(String text) {
    return UNACCEPTABLE.matcher(text).replaceAll("\uFFFD");
  }

  /** Returns a new, empty object. */
  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  /**
   * Reads one JSON value.
   *
   * @throws UnusableContentException if the text is not exactly one JSON value
   */
  public static JsonNode read(String text) throws UnusableContentException {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException malformed) {
      throw malformed();
    }
  }

  /** Returns a parser of UTF-8 with the limits of this class. */
  static JsonParser parser(byte[] utf8) throws IOException {
    return FACTORY.createParser(utf8);
  }

  /** Returns a value as JSON without whitespace. */
  public static String write(JsonNode value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("a tree of JSON could not be written");
    }
  }

  /**
   * Checks that the text is exactly one JSON value, without building it in memory.
   *
   * @throws UnusableContentException if it is not
   */
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

  /** Returns the error for malformed JSON, without the cause, whose message quotes the input. */
  static UnusableContentException malformed() {
    return new UnusableContentException("is not valid JSON");
  }
}
