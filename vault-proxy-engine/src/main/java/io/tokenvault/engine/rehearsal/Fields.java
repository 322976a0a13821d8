package io.tokenvault.engine.rehearsal;

import io.tokenvault.domain.failure.ShownName;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Takes the fields of a JSON object by name and type, and notes all that are wrong. Null is the
 * same as left out. {@link #refuseOthers} goes last.
 */
final class Fields {

  private final JsonObject object;
  private final String prefix;
  private final Violations violations;
  private final Set<String> known = new HashSet<>();

  private Fields(JsonObject object, String prefix, Violations violations) {
    this.object = object;
    this.prefix = prefix;
    this.violations = violations;
  }

  /**
   * @throws ValidationException if it is no object
   */
  static Fields of(JsonValue whole, Violations violations) {
    if (whole instanceof JsonObject object) {
      return new Fields(object, "", violations);
    }
    throw ValidationException.of(Violations.WHOLE_REQUEST, "must be a JSON object");
  }

  /** The field even if it is null; empty if it is left out. */
  Optional<JsonValue> member(String name) {
    known.add(name);
    return Optional.ofNullable(object.members().get(name));
  }

  Optional<JsonValue> any(String name) {
    return member(name).filter(value -> value != JsonNull.NULL);
  }

  Optional<String> text(String name) {
    return any(name)
        .flatMap(
            value ->
                value instanceof JsonString text
                    ? Optional.of(text.value())
                    : wrong(name, "must be a string"));
  }

  /** A whole number within bounds. */
  Optional<Integer> number(String name, int least, int most) {
    return any(name)
        .flatMap(value -> whole(value).filter(number -> number >= least && number <= most))
        .or(() -> any(name).flatMap(value -> wrong(name, between(least, most))));
  }

  private static Optional<Integer> whole(JsonValue value) {
    try {
      return value instanceof JsonNumber number
          ? Optional.of(Integer.valueOf(number.literal()))
          : Optional.empty();
    } catch (NumberFormatException fractionOrTooLarge) {
      return Optional.empty();
    }
  }

  private static String between(int least, int most) {
    return "must be a whole number from " + least + " to " + most;
  }

  /**
   * @param reader ends with {@link #refuseOthers}
   */
  <T> Optional<T> object(String name, Function<Fields, T> reader) {
    return any(name).flatMap(value -> object(path(name), value, reader));
  }

  private <T> Optional<T> object(String path, JsonValue value, Function<Fields, T> reader) {
    if (value instanceof JsonObject inner) {
      return Optional.of(reader.apply(new Fields(inner, path + ".", violations)));
    }
    violations.settle(path, "must be an object");
    return Optional.empty();
  }

  /** Those of a list that are right; no list is an empty one. */
  <T> List<T> objects(String name, Function<Fields, T> reader) {
    List<T> items = new ArrayList<>();
    JsonValue list = any(name).orElse(new JsonArray(List.of()));
    if (list instanceof JsonArray array) {
      for (int i = 0; i < array.items().size() && !violations.isFull(); i++) {
        object(path(name) + "[" + i + "]", array.items().get(i), reader).ifPresent(items::add);
      }
    } else {
      wrong(name, "must be an array");
    }
    return items;
  }

  Set<String> names() {
    return object.members().keySet();
  }

  /** Returns whether so much is wrong already that nothing more needs to be looked at. */
  boolean isFull() {
    return violations.isFull();
  }

  /** Notes that a field is not there. */
  void require(String name) {
    if (any(name).isEmpty()) {
      wrong(name, "is required");
    }
  }

  /**
   * @return nothing
   */
  <T> Optional<T> wrong(String name, String message) {
    violations.settle(path(name), message);
    return Optional.empty();
  }

  /** Notes every field that was not asked for. */
  void refuseOthers() {
    names().stream()
        .takeWhile(unused -> !isFull())
        .filter(name -> !known.contains(name))
        .forEach(name -> violations.add(path(name), "is not a known field"));
  }

  private String path(String name) {
    return prefix + ShownName.inPath(name);
  }
}
