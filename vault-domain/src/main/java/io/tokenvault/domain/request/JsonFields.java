package io.tokenvault.domain.request;

import io.tokenvault.domain.failure.ShownName;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonBoolean;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.domain.token.Change;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Reads the properties of a JSON object one by one, by name and type, and adds a violation for each
 * of a wrong type, so that a client receives all errors at once.
 *
 * <p>Nothing is coerced. A null property is equivalent to an absent one, and both are read as null,
 * as drafts expect; only {@link #change} and {@link #property} distinguish them. The length of an
 * array or map is checked before its elements, and no element is read once the maximum number of
 * violations is reached. Call {@link #refuseOthers} or {@link #only} last. For example: {@code
 * fields.only(new Draft(fields.text("name")))}.
 */
public final class JsonFields {

  private static final String WHOLE_NUMBER = "must be a whole number";
  private static final Pattern UUID_SHAPE =
      Pattern.compile("[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}");

  private final JsonObject object;
  private final String prefix;
  private final Violations violations;
  private final Set<String> known = new HashSet<>();

  private JsonFields(JsonObject object, String prefix, Violations violations) {
    this.object = object;
    this.prefix = prefix;
    this.violations = violations;
  }

  /**
   * Creates a reader of a request body.
   *
   * @throws ValidationException if the body is not an object
   */
  public static JsonFields of(JsonValue body, Violations violations) {
    if (body instanceof JsonObject object) {
      return new JsonFields(object, "", violations);
    }
    throw ValidationException.of(Violations.WHOLE_REQUEST, "must be a JSON object");
  }

  /** Returns a string. */
  public String text(String name) {
    return typed(name, JsonFields::asText, "must be a string");
  }

  /** Returns a boolean. */
  public Boolean flag(String name) {
    return typed(name, JsonFields::asFlag, "must be true or false");
  }

  /** Returns a whole number in the range of an int. */
  public Integer integer(String name) {
    return typed(name, JsonFields::asInteger, WHOLE_NUMBER);
  }

  /** Returns a whole number in the range of a long. */
  public Long longInteger(String name) {
    return typed(name, JsonFields::asLongInteger, WHOLE_NUMBER);
  }

  /** Returns a whole number within inclusive bounds. */
  public Integer integer(String name, int least, int most) {
    return typed(
        name,
        value -> asInteger(value).filter(number -> number >= least && number <= most),
        WHOLE_NUMBER + " from " + least + " to " + most);
  }

  /** Returns a UUID in its full form. */
  public UUID uuid(String name) {
    return parsed(name, JsonFields::parseUuid, "must be a UUID");
  }

  /**
   * Returns the parsed form of a string.
   *
   * @param parser returns empty for an invalid string
   * @param message the violation for an invalid string or another type
   */
  public <T> T parsed(String name, Function<String, Optional<T>> parser, String message) {
    return typed(name, value -> asText(value).flatMap(parser), message);
  }

  /** Parses a UUID in its full form; empty for anything else. */
  public static Optional<UUID> parseUuid(String text) {
    return UUID_SHAPE.matcher(text).matches()
        ? Optional.of(UUID.fromString(text))
        : Optional.empty();
  }

  /** Returns a value of any type. */
  public JsonValue any(String name) {
    return value(name);
  }

  /** Returns a value of any type, including the null literal; empty if the property is absent. */
  public Optional<JsonValue> property(String name) {
    known.add(name);
    return Optional.ofNullable(object.properties().get(name));
  }

  /** Returns the names of all properties. */
  public Set<String> names() {
    return object.properties().keySet();
  }

  /** Adds a violation if a property is absent or null. */
  public void require(String name) {
    if (value(name) == null) {
      refuse(name, "is required");
    }
  }

  /**
   * Returns whether the maximum number of violations is reached, so that no more needs to be read.
   */
  public boolean isFull() {
    return violations.isFull();
  }

  /** Returns a list of strings. */
  public List<String> texts(String name, SizeLimit limit) {
    return list(
        name, limit, (path, item) -> asText(item).orElseGet(() -> wrong(path.get(), "a string")));
  }

  /** Returns a list of strings; a single string is a list of one. */
  public List<String> textOrTexts(String name, SizeLimit limit) {
    JsonValue value = value(name);
    if (value instanceof JsonString text) {
      return List.of(text.value());
    }
    return value == null || value instanceof JsonArray
        ? texts(name, limit)
        : wrong(path(name), "a string or an array of strings");
  }

  /** Returns a list of objects, each read by {@code reader}, which refuses others. */
  public <T> List<T> objects(String name, SizeLimit limit, Function<JsonFields, T> reader) {
    return list(name, limit, (path, item) -> object(path.get(), item, reader));
  }

  /**
   * Returns an object. Properties that {@code reader} does not read are ignored unless it calls
   * {@link #refuseOthers}.
   */
  public <T> T object(String name, Function<JsonFields, T> reader) {
    JsonValue value = value(name);
    return value == null ? null : object(path(name), value, reader);
  }

  /** Returns a map of strings; null entries are omitted. */
  public Map<String, String> textMap(String name, SizeLimit limit) {
    return map(name, limit, JsonFields::allTexts);
  }

  /** Returns a map of strings in which empty values mark entries to remove. */
  public Map<String, Optional<String>> textChanges(String name, SizeLimit limit) {
    return map(name, limit, JsonFields::allTextChanges);
  }

  private <T> T map(String name, SizeLimit limit, Function<JsonFields, T> reader) {
    return value(name) instanceof JsonObject map && isOver(name, limit, map.properties().size())
        ? null
        : object(name, reader);
  }

  private boolean isOver(String name, SizeLimit limit, int size) {
    if (size > limit.most()) {
      violations.settle(path(name), limit.message());
    }
    return size > limit.most();
  }

  /**
   * Returns the change of a property for which null and absent have different meanings.
   *
   * @param reader reads the property by its name if it is present and not null
   */
  public <T> Change<T> change(String name, Function<String, T> reader) {
    known.add(name);
    JsonValue value = object.properties().get(name);
    if (value == null) {
      return new Change.Keep<>();
    }
    if (value == JsonNull.NULL) {
      return new Change.Reset<>();
    }
    T read = reader.apply(name);
    return read == null ? new Change.Keep<>() : new Change.To<>(read);
  }

  /** Adds a violation if a read-only property is present, even if it is null. */
  public void refuseChange(String name) {
    known.add(name);
    if (object.properties().containsKey(name)) {
      violations.settle(path(name), "cannot be changed");
    }
  }

  /** Adds a violation for a property that was read. */
  public void refuse(String name, String message) {
    violations.settle(path(name), message);
  }

  /** Accepts properties with any values. */
  public void ignore(String... names) {
    known.addAll(List.of(names));
  }

  /** Adds a violation for every property that was not read or ignored. */
  public void refuseOthers() {
    for (String name : object.properties().keySet()) {
      if (violations.isFull()) {
        return;
      }
      if (!known.contains(name)) {
        violations.add(path(name), "is not a known field");
      }
    }
  }

  /** Returns what was read, and adds a violation for every other property. */
  public <T> T only(T read) {
    refuseOthers();
    return read;
  }

  private Map<String, String> allTexts() {
    Map<String, String> texts = new LinkedHashMap<>();
    for (String name : object.properties().keySet()) {
      if (value(name) != null) {
        texts.put(name, text(name));
      }
    }
    return texts;
  }

  private Map<String, Optional<String>> allTextChanges() {
    Map<String, Optional<String>> texts = new LinkedHashMap<>();
    for (String name : object.properties().keySet()) {
      texts.put(name, Optional.ofNullable(text(name)));
    }
    return texts;
  }

  private <T> T typed(String name, Function<JsonValue, Optional<T>> type, String message) {
    JsonValue value = value(name);
    if (value == null) {
      return null;
    }
    Optional<T> read = type.apply(value);
    if (read.isEmpty()) {
      violations.settle(path(name), message);
    }
    return read.orElse(null);
  }

  private <T> List<T> list(String name, SizeLimit limit, ItemReader<T> reader) {
    JsonValue value = value(name);
    if (value == null) {
      return null;
    }
    if (!(value instanceof JsonArray array)) {
      return wrong(path(name), "an array");
    }
    if (isOver(name, limit, array.items().size())) {
      return null;
    }
    List<T> items = new ArrayList<>();
    for (JsonValue item : array.items()) {
      if (violations.isFull()) {
        break;
      }
      int index = items.size();
      items.add(reader.read(() -> path(name) + "[" + index + "]", item));
    }
    return items;
  }

  private <T> T object(String path, JsonValue value, Function<JsonFields, T> reader) {
    return value instanceof JsonObject inner
        ? reader.apply(new JsonFields(inner, path + ".", violations))
        : wrong(path, "an object");
  }

  private <T> T wrong(String path, String expected) {
    violations.settle(path, "must be " + expected);
    return null;
  }

  private JsonValue value(String name) {
    known.add(name);
    JsonValue value = object.properties().get(name);
    return value == JsonNull.NULL ? null : value;
  }

  private String path(String name) {
    return prefix + ShownName.inPath(name);
  }

  private static Optional<String> asText(JsonValue value) {
    return value instanceof JsonString text ? Optional.of(text.value()) : Optional.empty();
  }

  private static Optional<Boolean> asFlag(JsonValue value) {
    return value instanceof JsonBoolean flag ? Optional.of(flag.value()) : Optional.empty();
  }

  private static Optional<Integer> asInteger(JsonValue value) {
    return asLongInteger(value).filter(number -> number.intValue() == number).map(Long::intValue);
  }

  private static Optional<Long> asLongInteger(JsonValue value) {
    try {
      return value instanceof JsonNumber number
          ? Optional.of(Long.valueOf(number.literal()))
          : Optional.empty();
    } catch (NumberFormatException fractionOrTooLarge) {
      return Optional.empty();
    }
  }

  /**
   * The maximum number of elements of an array or map.
   *
   * @param message the violation for a larger one
   */
  public record SizeLimit(int most, String message) {

    public static SizeLimit items(int most) {
      return new SizeLimit(most, "must be at most " + most);
    }

    public static SizeLimit entries(int most) {
      return new SizeLimit(most, "must have at most " + most + " entries");
    }
  }

  /** Reads an item of a list; the path is computed only for violations. */
  private interface ItemReader<T> {
    T read(Supplier<String> path, JsonValue item);
  }
}
