package io.tokenvault.server.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.ports.runtime.JsonCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads one JSON value and rejects texts that Jackson would accept. */
final class JsonReader {

  private final JsonParser parser;

  private JsonReader(JsonParser parser) {
    this.parser = parser;
  }

  /**
   * Reads a text that consists of exactly one value.
   *
   * @param utf8 the text, which is decoded strictly
   * @throws ValidationException at {@code error}, if the text is not exactly one value
   */
  static JsonValue read(JsonFactory factory, byte[] utf8) {
    CharBuffer text = Utf8Text.decode(utf8);
    try (JsonParser parser = factory.createParser(text.array(), 0, text.length())) {
      return new JsonReader(parser).readDocument();
    } catch (JsonProcessingException e) {
      throw MalformedJson.at(e.getLocation(), "the body is not valid JSON");
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory failed", e);
    }
  }

  /** Reads the whole text; anything but whitespace after the value is rejected. */
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

  /**
   * Reads the value that starts with a token.
   *
   * @param depth the number of objects and arrays around it
   */
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

  /** Returns the depth of a nested value, or rejects it beyond {@link JsonCodec#MAX_DEPTH}. */
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

  /** Reads the fields of an object in their order; a repeated name is rejected. */
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

  /** Rejects a string or name with characters that cannot be stored. */
  private String checked(String text) {
    UnacceptableText.in(text)
        .ifPresent(
            found -> {
              throw malformed(found.problem());
            });
    return text;
  }

  /** Keeps the characters of a number: its precision is not reduced to that of a double. */
  private JsonNumber number(String literal) {
    if (literal.length() > JacksonJson.MAX_NUMBER_LENGTH) {
      throw malformed("a number has more than " + JacksonJson.MAX_NUMBER_LENGTH + " characters");
    }
    return new JsonNumber(literal);
  }

  private ValidationException malformed(String problem) {
    return MalformedJson.at(parser.currentTokenLocation(), problem);
  }

  /**
   * Decodes UTF-8 strictly (RFC 3629): overlong forms, encoded surrogates and a byte order mark are
   * rejected.
   */
  private static final class Utf8Text {

    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private Utf8Text() {}

    /**
     * Decodes a text.
     *
     * @throws io.tokenvault.domain.failure.ValidationException at {@code error}, with line and
     *     column
     */
    static CharBuffer decode(byte[] utf8) {
      CharsetDecoder decoder =
          StandardCharsets.UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT);
      CharBuffer text = CharBuffer.allocate(utf8.length);
      CoderResult result = decoder.decode(ByteBuffer.wrap(utf8), text, true);
      text.flip();
      if (result.isError()) {
        throw atEndOf(text, "the body is not UTF-8");
      }
      if (text.hasRemaining() && text.get(0) == BYTE_ORDER_MARK) {
        throw MalformedJson.at(1, 1, "the body starts with a byte order mark");
      }
      return text;
    }

    /** Returns a failure at the position after the characters that were decoded. */
    private static RuntimeException atEndOf(CharBuffer decoded, String problem) {
      int line = 1;
      int column = 1;
      for (int i = 0; i < decoded.length(); i++) {
        boolean endsLine = endsLine(decoded, i);
        line += endsLine ? 1 : 0;
        column = endsLine ? 1 : column + 1;
      }
      return MalformedJson.at(line, column, problem);
    }

    /** Returns whether a line ends at this character; CR LF ends a single line. */
    private static boolean endsLine(CharBuffer text, int index) {
      boolean halfOfCrLf = index + 1 < text.length() && text.charAt(index + 1) == '\n';
      return text.charAt(index) == '\n' || (text.charAt(index) == '\r' && !halfOfCrLf);
    }
  }

  /**
   * Creates the failures for malformed texts. They contain a position but never any part of the
   * text.
   */
  private static final class MalformedJson {

    private MalformedJson() {}

    /** Returns the failure for an empty text. */
    static ValidationException absent() {
      return ValidationException.of(Violations.WHOLE_REQUEST, "a JSON body is required");
    }

    /**
     * Returns a failure at a position. Lines and columns start at 1; columns count UTF-16 units.
     */
    static ValidationException at(int line, int column, String problem) {
      return ValidationException.of(
          Violations.WHOLE_REQUEST, problem + " at line " + line + ", column " + column);
    }

    static ValidationException at(JsonLocation location, String problem) {
      return at(location.getLineNr(), location.getColumnNr(), problem);
    }
  }
}
