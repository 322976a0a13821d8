package io.tokenvault.engine.transform.content;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.domain.request.HeaderField;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Conversion of header fields to and from the object that a transform sees. */
public final class Headers {

  /** The greatest total length of the names and values that a transform returns, in characters. */
  public static final int MAX_LENGTH = 128 * 1024;

  /** The greatest number of fields that a transform returns; common servers accept fewer. */
  public static final int MAX_FIELDS = 1000;

  private static final String LISTED = "set-cookie";
  // A comma would change their meaning (RFC 9113, section 8.2.3).
  private static final String COOKIE = "cookie";
  private static final int DELETE = 0x7f;

  private Headers() {}

  /**
   * Returns header fields as a JSON object. Names are in lower case; the values of a repeated field
   * are joined, except for {@code set-cookie}, whose values are always a list.
   */
  public static ObjectNode object(List<HeaderField> fields) {
    ObjectNode object = Json.object();
    for (HeaderField field : fields) {
      String name = field.name().toLowerCase(Locale.ROOT);
      JsonNode before = object.get(name);
      if (name.equals(LISTED)) {
        object.withArrayProperty(name).add(field.value());
      } else if (before == null) {
        object.put(name, field.value());
      } else {
        String separator = name.equals(COOKIE) ? "; " : ", ";
        object.put(name, before.textValue() + separator + field.value());
      }
    }
    return object;
  }

  /**
   * Reads header fields from a JSON object of strings and lists of strings. Names that are not
   * valid in HTTP are omitted.
   *
   * @param json an object, or null for no headers
   * @throws UnusableContentException if it is anything else, a value has control characters, or the
   *     headers exceed the limits
   */
  public static List<HeaderField> fields(String json) throws UnusableContentException {
    JsonNode object = Json.read(json);
    if (object.isNull()) {
      return List.of();
    }
    if (!object.isObject()) {
      throw new UnusableContentException("must be an object");
    }
    List<HeaderField> fields = new ArrayList<>();
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      JsonNode value = entry.getValue();
      for (JsonNode each : value.isArray() ? value : List.of(value)) {
        fields.add(new HeaderField(entry.getKey(), text(each)));
      }
    }
    requireShort(fields);
    return fields.stream().filter(HeaderField::isNamedByToken).toList();
  }

  private static String text(JsonNode value) throws UnusableContentException {
    if (!value.isTextual()) {
      throw new UnusableContentException("must have strings and lists of strings as values");
    }
    String text = value.textValue();
    // Of the control characters, only the tab may be in a value (RFC 9110, section 5.5).
    if (text.chars().anyMatch(each -> (each < ' ' && each != '\t') || each == DELETE)) {
      throw new UnusableContentException(
          "must not contain line breaks or other control characters");
    }
    return text;
  }

  private static void requireShort(List<HeaderField> fields) throws UnusableContentException {
    long length =
        fields.stream().mapToLong(field -> field.name().length() + field.value().length()).sum();
    if (fields.size() > MAX_FIELDS) {
      throw new UnusableContentException("must be fewer, " + MAX_FIELDS + " in all");
    }
    if (length > MAX_LENGTH) {
      throw new UnusableContentException("must be shorter, " + MAX_LENGTH + " characters in all");
    }
  }

  /** Returns the values of a header joined by commas; empty if there is none. */
  public static Optional<String> value(List<HeaderField> fields, String name) {
    return fields.stream()
        .filter(field -> field.is(name))
        .map(HeaderField::value)
        .reduce((joined, value) -> joined + ", " + value);
  }

  /** Returns the fields without those of the given name. */
  public static List<HeaderField> without(List<HeaderField> fields, String name) {
    return fields.stream().filter(field -> !field.is(name)).toList();
  }
}
