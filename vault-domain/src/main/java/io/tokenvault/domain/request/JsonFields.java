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
 * Reads the fields of a JSON object one by one, by name and type, and notes each that has another
 * type, so that a client gets all errors at once. Nothing is coerced; null is the same as left out,
 * and both are given as null, which is what drafts take; only {@link #change} tells them apart. The
 * length of an array or a map is checked before its elements, and no element is looked at once as
 * much is wrong as is returned. {@link #refuseOthers} goes last.
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
   * @throws ValidationException if the body is no object
   */
  public static JsonFields of(JsonValue body, Violations violations) {
    if (body instanceof JsonObject object) {
      return new JsonFields(object, "", violations);
    }
    throw ValidationException.of(Violations.WHOLE_REQUEST, "must be a JSON object");
  }

  public String text(String name) {
    return typed(name, JsonFields::asText, "must be a string");
  }

  public Boolean flag(String name) {
    return typed(name, JsonFields::asFlag, "must be true or false");
  }

  public Integer integer(String name) {
    return typed(name, JsonFields::asInteger, WHOLE_NUMBER);
  }

  /** A whole number that may be larger than {@link #integer(String)} gives. */
  public Long longInteger(String name) {
    return typed(name, JsonFields::asLongInteger, WHOLE_NUMBER);
  }

  /** Returns a whole number within bounds. */
  public Integer integer(String name, int least, int most) {
    return typed(
        name,
        value -> asInteger(value).filter(number -> number >= least && number <= most),
        WHOLE_NUMBER + " from " + least + " to " + most);
  }

  public UUID uuid(String name) {
    return parsed(name, JsonFields::parseUuid, "must be a UUID");
  }

  /**
   * Returns a string that has a form.
   *
   * @param parser returns empty for another form
   * @param message for a string of another form, and for anything but a string
   */
  public <T> T parsed(String name, Function<String, Optional<T>> parser, String message) {
    return typed(name, value -> asText(value).flatMap(parser), message);
  }

  /** Returns a UUID in its full form; empty for anything else. */
  public static Optional<UUID> parseUuid(String text) {
    return UUID_SHAPE.matcher(text).matches()
        ? Optional.of(UUID.fromString(text))
        : Optional.empty();
  }

  /** Any value at all. */
  public JsonValue any(String name) {
    return value(name);
  }

  /** Any value at all, and null where it is there and null; empty if it is left out. */
  public Optional<JsonValue> member(String name) {
    known.add(name);
    return Optional.ofNullable(object.members().get(name));
  }

  /** Returns the names of all fields. */
  public Set<String> names() {
    return object.members().keySet();
  }

  /** Notes a field that is left out or null. */
  public void require(String name) {
    if (value(name) == null) {
      refuse(name, "is required");
    }
  }

  /** Returns whether so much is wrong already that nothing more needs to be looked at. */
  public boolean isFull() {
    return violations.isFull();
  }

  public List<String> texts(String name, SizeLimit limit) {
    return list(
        name, limit, (path, item) -> asText(item).orElseGet(() -> wrong(path.get(), "a string")));
  }

  /** One or several; a string is a list of one. */
  public List<String> textOrTexts(String name, SizeLimit limit) {
    JsonValue value = value(name);
    if (value instanceof JsonString text) {
      return List.of(text.value());
    }
    return value == null || value instanceof JsonArray
        ? texts(name, limit)
        : wrong(path(name), "a string or an array of strings");
  }

  /** A list of objects, each read by {@code reader}, which ends with {@link #refuseOthers}. */
  public <T> List<T> objects(String name, SizeLimit limit, Function<JsonFields, T> reader) {
    return list(name, limit, (path, item) -> object(path.get(), item, reader));
  }

  /** An object; only what {@code reader} takes of it is looked at unless it refuses the rest. */
  public <T> T object(String name, Function<JsonFields, T> reader) {
    JsonValue value = value(name);
    return value == null ? null : object(path(name), value, reader);
  }

  /** A map of strings; entries that are null are left out. */
  public Map<String, String> textMap(String name, SizeLimit limit) {
    return map(name, limit, JsonFields::allTexts);
  }

  /** Strings by key, of which null ones are to go. */
  public Map<String, Optional<String>> textChanges(String name, SizeLimit limit) {
    return map(name, limit, JsonFields::allTextChanges);
  }

  private <T> T map(String name, SizeLimit limit, Function<JsonFields, T> reader) {
    return value(name) instanceof JsonObject map && isOver(name, limit, map.members().size())
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
   * A field for which it matters whether it was null or left out.
   *
   * @param reader reads the field by its name, if it is there and not null
   */
  public <T> Change<T> change(String name, Function<String, T> reader) {
    known.add(name);
    JsonValue value = object.members().get(name);
    if (value == null) {
      return new Change.Keep<>();
    }
    if (value == JsonNull.NULL) {
      return new Change.Reset<>();
    }
    T read = reader.apply(name);
    return read == null ? new Change.Keep<>() : new Change.To<>(read);
  }

  /** Notes a field, even null, that exists and stays as it is. */
  public void refuseChange(String name) {
    known.add(name);
    if (object.members().containsKey(name)) {
      violations.settle(path(name), "cannot be changed");
    }
  }

  /** Notes what is wrong with a field that was taken. */
  public void refuse(String name, String message) {
    violations.settle(path(name), message);
  }

  /** Accepts fields whatever their values. */
  public void ignore(String... names) {
    known.addAll(List.of(names));
  }

  /** Notes every field that was not asked for. */
  public void refuseOthers() {
    for (String name : object.members().keySet()) {
      if (violations.isFull()) {
        return;
      }
      if (!known.contains(name)) {
        violations.add(path(name), "is not a known field");
      }
    }
  }

  private Map<String, String> allTexts() {
    Map<String, String> texts = new LinkedHashMap<>();
    for (String name : object.members().keySet()) {
      if (value(name) != null) {
        texts.put(name, text(name));
      }
    }
    return texts;
  }

  private Map<String, Optional<String>> allTextChanges() {
    Map<String, Optional<String>> texts = new LinkedHashMap<>();
    for (String name : object.members().keySet()) {
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
    JsonValue value = object.members().get(name);
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
   * How many elements an array or a map may have.
   *
   * @param message for one that has more
   */
  public record SizeLimit(int most, String message) {

    public static SizeLimit items(int most) {
      return new SizeLimit(most, "must be at most " + most);
    }

    public static SizeLimit entries(int most) {
      return new SizeLimit(most, "must have at most " + most + " entries");
    }
  }

  /** Reads an item of a list that stands at a path. */
  private interface ItemReader<T> {
    T read(Supplier<String> path, JsonValue item);
  }
}
