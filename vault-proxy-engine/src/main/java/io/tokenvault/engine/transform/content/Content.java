package io.tokenvault.engine.transform.content;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.engine.expression.TextContent;
import io.tokenvault.engine.wire.BodyKind;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Body in the form in which a transform receives or returns it.
 *
 * @param bytes the body in the encoding of its kind
 */
public record Content(BodyKind kind, byte[] bytes) {

  private static final byte BYTE_ORDER_MARK = (byte) 0xef;
  private static final int MARK_LENGTH = 3;
  private static final byte[] NO_BYTES = {};

  /**
   * Returns the form in which a transform receives the body of a message. A body that has a content
   * coding is binary, whatever its type.
   *
   * @throws UnusableContentException if it is not JSON or not in its charset, contrary to its type
   */
  public static Content of(List<HeaderField> headers, Optional<byte[]> body)
      throws UnusableContentException {
    byte[] bytes = body.orElse(NO_BYTES);
    if (bytes.length == 0) {
      return new Content(BodyKind.NONE, NO_BYTES);
    }
    boolean isCoded =
        !ContentCoding.of(Headers.value(headers, "Content-Encoding"))
            .equals(Optional.of(ContentCoding.NONE));
    Optional<TextContent> text = Headers.value(headers, "Content-Type").flatMap(TextContent::of);
    if (isCoded || text.isEmpty()) {
      return new Content(BodyKind.BINARY, bytes);
    }
    byte[] utf8 = decoded(text.get(), bytes);
    if (!text.get().isJson()) {
      return new Content(BodyKind.TEXT, utf8);
    }
    byte[] json = withoutMark(utf8);
    Json.requireOneValue(json);
    return new Content(BodyKind.JSON, json);
  }

  /** Converts a body from its charset to UTF-8. */
  private static byte[] decoded(TextContent type, byte[] bytes) throws UnusableContentException {
    try {
      return type.decode(bytes).getBytes(StandardCharsets.UTF_8);
    } catch (CharacterCodingException undecodable) {
      throw new UnusableContentException("is not valid text in its charset");
    }
  }

  /** Removes a byte order mark, which RFC 8259, section 8.1, allows a reader to ignore. */
  private static byte[] withoutMark(byte[] utf8) {
    return utf8.length >= MARK_LENGTH && utf8[0] == BYTE_ORDER_MARK
        ? Arrays.copyOfRange(utf8, MARK_LENGTH, utf8.length)
        : utf8;
  }

  /**
   * Returns the bytes to send for a body that a transform returned.
   *
   * @param contentType the {@code Content-Type} header of the message to send; empty if there is
   *     none
   * @return the bytes; empty for no body
   * @throws UnusableContentException if the body cannot be written in that type or its charset
   */
  public Optional<byte[]> written(Optional<String> contentType) throws UnusableContentException {
    if (kind == BodyKind.NONE) {
      return Optional.empty();
    }
    Optional<TextContent> type = contentType.flatMap(TextContent::of);
    if (kind == BodyKind.BINARY || type.isEmpty()) {
      return Optional.of(bytes);
    }
    boolean form = kind == BodyKind.JSON && type.get().isForm();
    return Optional.of(form ? FormContent.of(bytes) : encoded(type.get()));
  }

  /** Converts a body from UTF-8 to the charset of its type. */
  private byte[] encoded(TextContent type) throws UnusableContentException {
    try {
      return type.encode(new String(bytes, StandardCharsets.UTF_8));
    } catch (CharacterCodingException unencodable) {
      throw new UnusableContentException("cannot be written in the charset of its content type");
    }
  }

  /** Returns the kind only, since the body can be secret. */
  @Override
  public String toString() {
    return "Content[" + kind + "]";
  }

  /** Encoder of JSON objects as forms: {@code application/x-www-form-urlencoded}, in UTF-8. */
  static final class FormContent {

    private final JsonParser parser;
    private final List<String> pairs = new ArrayList<>();

    private FormContent(JsonParser parser) {
      this.parser = parser;
    }

    /**
     * Encodes an object as a form.
     *
     * @param json an object of strings, numbers, booleans and nulls, or lists of these, whose name
     *     is repeated; null is an empty string
     * @throws UnusableContentException if it is anything else
     */
    static byte[] of(byte[] json) throws UnusableContentException {
      try (JsonParser parser = Json.parser(json)) {
        return new FormContent(parser).read().getBytes(StandardCharsets.US_ASCII);
      } catch (IOException malformed) {
        throw Json.malformed();
      }
    }

    private String read() throws IOException, UnusableContentException {
      require(parser.nextToken() == JsonToken.START_OBJECT);
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = encode(parser.currentName());
        if (parser.nextToken() == JsonToken.START_ARRAY) {
          while (parser.nextToken() != JsonToken.END_ARRAY) {
            add(name);
          }
        } else {
          add(name);
        }
      }
      require(parser.nextToken() == null);
      return String.join("&", pairs);
    }

    /** Adds a pair with the current value of the parser. */
    private void add(String name) throws IOException, UnusableContentException {
      JsonToken value = parser.currentToken();
      require(value != null && value.isScalarValue());
      pairs.add(name + "=" + (value == JsonToken.VALUE_NULL ? "" : encode(parser.getText())));
    }

    private static String encode(String text) {
      return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static void require(boolean flat) throws UnusableContentException {
      if (!flat) {
        throw new UnusableContentException(
            "is sent as a form and must be an object of values and lists of values");
      }
    }
  }
}
