package io.tokenvault.server.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonBoolean;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.ports.runtime.JsonCodec;
import java.io.ByteArrayOutputStream;
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
import java.util.function.Function;

/**
 * Reads and writes JSON exactly as RFC 8259 defines it.
 *
 * <p>No extension is accepted: no comments, no {@code NaN}, no byte order mark, no encoding besides
 * UTF-8. In addition, duplicate names, NUL, lone surrogates and deep nesting are rejected. The
 * caller limits the length of a text; a number may have {@link #MAX_NUMBER_LENGTH} characters.
 * Threads may share an instance.
 *
 * <pre>{@code
 * JsonCodec json = new JacksonJson();
 * JsonValue value = json.read(body); // throws ValidationException with line and column
 * byte[] utf8 = json.write(value);
 * }</pre>
 */
public final class JacksonJson implements JsonCodec {

  /** Limit on the characters of a number: enough for any double in full, and cheap to parse. */
  public static final int MAX_NUMBER_LENGTH = 1200;

  /**
   * The factory of parsers. Jackson's own limits are disabled where this package reports its own
   * errors. Names are not interned, because callers choose them.
   */
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
          .build();

  @Override
  public JsonValue read(byte[] utf8) {
    return Reader.read(utf8);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if a string contains characters that {@link #read} rejects, or
   *     the nesting is far deeper than it accepts
   */
  @Override
  public byte[] write(JsonValue value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator generator = FACTORY.createGenerator(out)) {
      write(value, generator);
    } catch (IOException e) {
      throw new IllegalArgumentException("the value cannot be written as JSON");
    }
    return out.toByteArray();
  }

  /**
   * Writes a value and everything in it, in the order of its fields.
   *
   * @throws IllegalArgumentException if a string cannot be represented
   */
  private static void write(JsonValue value, JsonGenerator generator) throws IOException {
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
    for (Map.Entry<String, JsonValue> property : object.properties().entrySet()) {
      generator.writeFieldName(checked(property.getKey()));
      write(property.getValue(), generator);
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

  /** Rejects a string that {@link #read} would not accept. */
  private static String checked(String text) {
    return acceptable(text, IllegalArgumentException::new);
  }

  /**
   * Rejects a string or name that JSON can express but the vault does not accept: PostgreSQL cannot
   * store NUL, and a lone surrogate has no UTF-8 form.
   *
   * @param failure creates the exception from a description of the problem
   */
  private static String acceptable(String text, Function<String, RuntimeException> failure) {
    int length = text.length();
    for (int i = 0; i < length; i++) {
      char unit = text.charAt(i);
      if (unit == '\0') {
        throw failure.apply("a string contains NUL");
      }
      if (Character.isSurrogate(unit)) {
        if (!Character.isSupplementaryCodePoint(text.codePointAt(i))) {
          throw failure.apply("a string contains a lone surrogate");
        }
        i++;
      }
    }
    return text;
  }

  /** Reads one JSON value and rejects texts that Jackson would accept. */
  private static final class Reader {

    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private final JsonParser parser;

    private Reader(JsonParser parser) {
      this.parser = parser;
    }

    /**
     * Reads a text that consists of exactly one value.
     *
     * @param utf8 the text, which is decoded strictly
     * @throws ValidationException at {@code error}, if the text is not exactly one value
     */
    static JsonValue read(byte[] utf8) {
      CharBuffer text = decode(utf8);
      try (JsonParser parser = FACTORY.createParser(text.array(), 0, text.length())) {
        return new Reader(parser).readDocument();
      } catch (JsonProcessingException e) {
        throw malformed(e.getLocation(), "the body is not valid JSON");
      } catch (IOException e) {
        throw new UncheckedIOException("reading from memory failed", e);
      }
    }

    /** Reads the whole text; anything but whitespace after the value is rejected. */
    private JsonValue readDocument() throws IOException {
      JsonToken first = parser.nextToken();
      if (first == null) {
        throw ValidationException.of(Violations.WHOLE_REQUEST, "a JSON body is required");
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
        case START_OBJECT -> readObject(nestedDepth(depth));
        case START_ARRAY -> readArray(nestedDepth(depth));
        case VALUE_STRING -> JsonValue.of(accepted(parser.getText()));
        case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser.getText());
        case VALUE_TRUE -> JsonValue.of(true);
        case VALUE_FALSE -> JsonValue.of(false);
        case VALUE_NULL -> JsonNull.NULL;
        case END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
            throw malformed("the body is not valid JSON");
      };
    }

    /** Returns the depth of a nested value, or rejects it beyond {@link JsonCodec#MAX_DEPTH}. */
    private int nestedDepth(int depth) {
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
      Map<String, JsonValue> properties = new LinkedHashMap<>();
      for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
        if (properties.containsKey(accepted(name))) {
          throw malformed("an object has a key twice");
        }
        properties.put(name, readValue(parser.nextToken(), depth));
      }
      return new JsonObject(properties);
    }

    /** Rejects a string or name with characters that cannot be stored. */
    private String accepted(String text) {
      return acceptable(text, this::malformed);
    }

    /** Keeps the characters of a number: its precision is not reduced to that of a double. */
    private JsonNumber number(String literal) {
      if (literal.length() > MAX_NUMBER_LENGTH) {
        throw malformed("a number has more than " + MAX_NUMBER_LENGTH + " characters");
      }
      return new JsonNumber(literal);
    }

    private ValidationException malformed(String problem) {
      return malformed(parser.currentTokenLocation(), problem);
    }

    private static ValidationException malformed(JsonLocation location, String problem) {
      return malformed(location.getLineNr(), location.getColumnNr(), problem);
    }

    /**
     * Decodes UTF-8 strictly (RFC 3629): overlong forms, encoded surrogates and a byte order mark
     * are rejected.
     *
     * @throws ValidationException at {@code error}, with line and column
     */
    private static CharBuffer decode(byte[] utf8) {
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
        throw malformed(1, 1, "the body starts with a byte order mark");
      }
      return text;
    }

    /** Returns a failure at the position after the characters that were decoded. */
    private static ValidationException atEndOf(CharBuffer decoded, String problem) {
      int line = 1;
      int column = 1;
      for (int i = 0; i < decoded.length(); i++) {
        boolean endsLine = endsLine(decoded, i);
        line += endsLine ? 1 : 0;
        column = endsLine ? 1 : column + 1;
      }
      return malformed(line, column, problem);
    }

    /** Returns whether a line ends at this character; CR LF ends a single line. */
    private static boolean endsLine(CharBuffer text, int index) {
      boolean halfOfCrLf = index + 1 < text.length() && text.charAt(index + 1) == '\n';
      return text.charAt(index) == '\n' || (text.charAt(index) == '\r' && !halfOfCrLf);
    }

    /**
     * Returns a failure at a position, without any part of the text. Lines and columns start at 1;
     * columns count UTF-16 units.
     */
    private static ValidationException malformed(int line, int column, String problem) {
      return ValidationException.of(
          Violations.WHOLE_REQUEST, problem + " at line " + line + ", column " + column);
    }
  }
}
