package io.tokenvault.engine.dryrun;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.domain.request.JsonFields;
import io.tokenvault.engine.transform.content.Content;
import io.tokenvault.engine.transform.content.Headers;
import io.tokenvault.engine.transform.content.UnusableContentException;
import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.ports.runtime.JsonCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads the headers and the body of a sample's message.
 *
 * <p>A body is a string (text), an object whose only field is {@code base64} (bytes), or any other
 * JSON value.
 */
final class MessageReader {

  private static final String HEADERS = "headers";
  private static final String BODY = "body";
  private static final String BASE64 = "base64";
  private static final String CONTENT_TYPE = "Content-Type";

  /** Characters that would split a header on the wire. */
  private static final String SPLITTING = "\r\n\0";

  private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

  private final JsonCodec json;
  private final int maxBody;

  /**
   * Creates a reader.
   *
   * @param maxBody in bytes
   */
  MessageReader(JsonCodec json, int maxBody) {
    this.json = json;
    this.maxBody = maxBody;
  }

  /**
   * Reads {@code headers} and {@code body}. A JSON body has the content type {@code
   * application/json} unless the headers name another.
   */
  SampleMessage read(JsonFields fields) {
    List<HeaderField> headers = new ArrayList<>();
    fields.object(HEADERS, each -> readHeaders(each, headers));
    Optional<JsonValue> body = Optional.ofNullable(fields.any(BODY));
    if (body.isPresent() && isTypeless(headers) && isJson(body.get())) {
      headers.add(new HeaderField(CONTENT_TYPE, "application/json"));
    }
    Optional<byte[]> bytes = body.flatMap(value -> bytes(fields, value, headers));
    if (bytes.isPresent() && bytes.get().length > maxBody) {
      fields.refuse(BODY, "must be at most " + maxBody + " bytes long");
    }
    return new SampleMessage(headers, bytes);
  }

  /** Reads an object whose values are strings or arrays of strings. */
  private static List<HeaderField> readHeaders(JsonFields fields, List<HeaderField> headers) {
    for (String name : fields.names()) {
      if (fields.isFull()) {
        break;
      }
      JsonValue value = Optional.ofNullable(fields.any(name)).orElse(new JsonArray(List.of()));
      List<JsonValue> values = value instanceof JsonArray list ? list.items() : List.of(value);
      if (!NAME.matcher(name).matches()) {
        fields.refuse(name, "is no name of a header");
      } else if (values.stream().allMatch(MessageReader::isHeaderValue)) {
        values.forEach(each -> headers.add(new HeaderField(name, ((JsonString) each).value())));
      } else {
        fields.refuse(name, "must be a string or an array of strings, without line breaks or NUL");
      }
    }
    return headers;
  }

  /** Returns whether a value is a string without line breaks and NUL. */
  private static boolean isHeaderValue(JsonValue value) {
    return value instanceof JsonString text
        && text.value().chars().noneMatch(each -> SPLITTING.indexOf(each) >= 0);
  }

  private static boolean isTypeless(List<HeaderField> headers) {
    return Headers.value(headers, CONTENT_TYPE).isEmpty();
  }

  private static boolean isJson(JsonValue body) {
    return !(body instanceof JsonString) && !isBinary(body);
  }

  /** Returns whether a body is an object whose only field is {@code base64}. */
  private static boolean isBinary(JsonValue body) {
    return body instanceof JsonObject object && object.members().keySet().equals(Set.of(BASE64));
  }

  /** Returns the body in the charset that its content type names. */
  private Optional<byte[]> bytes(JsonFields fields, JsonValue body, List<HeaderField> headers) {
    if (isBinary(body)) {
      return Optional.ofNullable(fields.object(BODY, MessageReader::binary));
    }
    Content content =
        body instanceof JsonString text
            ? new Content(BodyKind.TEXT, text.value().getBytes(StandardCharsets.UTF_8))
            : new Content(BodyKind.JSON, json.write(body));
    try {
      return content.written(Headers.value(headers, CONTENT_TYPE));
    } catch (UnusableContentException unusable) {
      fields.refuse(BODY, unusable.getMessage());
      return Optional.empty();
    }
  }

  /** Decodes Base64; returns null after noting a violation. */
  private static byte[] binary(JsonFields fields) {
    String text = fields.text(BASE64);
    try {
      return text == null ? null : Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException malformed) {
      fields.refuse(BASE64, "must be Base64");
      return null;
    }
  }
}
