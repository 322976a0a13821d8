package io.tokenvault.engine.transform.content;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Encoder of JSON objects as forms: {@code application/x-www-form-urlencoded}, in UTF-8. */
final class FormContent {

  private final JsonParser parser;
  private final List<String> pairs = new ArrayList<>();

  private FormContent(JsonParser parser) {
    this.parser = parser;
  }

  /**
   * Encodes an object as a form.
   *
   * @param json an object of strings, numbers, booleans and nulls, or lists of these, whose name is
   *     repeated; null is an empty string
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
          "is sent as a form, and so must be an object of values and lists of values");
    }
  }
}
