package io.tokenvault.engine.transform.content;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.domain.request.HeaderField;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Header fields as the object that a transform has of them. */
public final class Headers {

  /** How many characters the names and values that a transform gives may have together. */
  public static final int MAX_LENGTH = 128 * 1024;

  /** How many fields a transform may give; no server takes more. */
  public static final int MAX_FIELDS = 1000;

  private static final String LISTED = "set-cookie";
  // Joined by a comma they would say something else (RFC 9113, section 8.2.3).
  private static final String COOKIE = "cookie";
  private static final int DELETE = 0x7f;
  private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

  private Headers() {}

  /** Lower-case names; repeated ones are joined, those of {@code set-cookie} listed. */
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
        object.put(name, before.textValue() + separator(name) + field.value());
      }
    }
    return object;
  }

  private static String separator(String name) {
    return name.equals(COOKIE) ? "; " : ", ";
  }

  /**
   * What an object of texts and lists of texts says. Names that no header can have are left out.
   *
   * @param json an object, or null for no headers
   * @throws UnusableContentException if it is anything else, or a value could not be sent
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
    return fields.stream().filter(field -> NAME.matcher(field.name()).matches()).toList();
  }

  private static String text(JsonNode value) throws UnusableContentException {
    if (!value.isTextual()) {
      throw new UnusableContentException("must have texts and lists of texts as values");
    }
    String text = value.textValue();
    if (text.chars().anyMatch(Headers::isControl)) {
      throw new UnusableContentException("must not hold line breaks or other control characters");
    }
    return text;
  }

  /** RFC 9110, section 5.5: of these only the tab may be in a value. */
  private static boolean isControl(int character) {
    return (character < ' ' && character != '\t') || character == DELETE;
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

  /** All values of a header, as one; empty if there is none. */
  public static Optional<String> value(List<HeaderField> fields, String name) {
    List<String> values =
        fields.stream().filter(field -> field.is(name)).map(HeaderField::value).toList();
    return values.isEmpty()
        ? Optional.empty()
        : Optional.of(values.stream().collect(Collectors.joining(", ")));
  }

  public static List<HeaderField> without(List<HeaderField> fields, String name) {
    return fields.stream().filter(field -> !field.is(name)).toList();
  }
}
