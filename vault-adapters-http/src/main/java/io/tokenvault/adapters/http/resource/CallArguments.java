package io.tokenvault.adapters.http.resource;

import io.tokenvault.adapters.http.request.RequestValidator;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonNull;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import java.util.List;

/**
 * The arguments of a call, by the names of the parameters in whose places they stand; each that has
 * another type is noted. As in a body nothing is coerced, and null is the same as left out, where
 * it is not a value like others.
 */
final class CallArguments {

  private final List<String> parameters;
  private final List<JsonValue> given;
  private final Violations violations = new Violations();

  CallArguments(List<String> parameters, List<JsonValue> given) {
    this.parameters = parameters;
    this.given = given;
    for (int i = parameters.size(); i < given.size(); i++) {
      if (given.get(i) != JsonNull.NULL) {
        violations.add(
            "arguments[" + i + "]", "is one too many after " + String.join(", ", parameters));
      }
    }
  }

  /** Any value at all; only left out is wrong. */
  JsonValue any(String parameter) {
    return required(parameter, value(parameter));
  }

  JsonObject object(String parameter) {
    return required(parameter, optionalObject(parameter));
  }

  /** Null if left out. */
  JsonObject optionalObject(String parameter) {
    return typed(parameter, JsonObject.class, "must be an object");
  }

  String text(String parameter) {
    return required(parameter, optionalText(parameter));
  }

  /** Null if left out. */
  String optionalText(String parameter) {
    JsonString text = typed(parameter, JsonString.class, "must be a string");
    return text == null ? null : text.value();
  }

  /** Takes what else is wrong. */
  Violations violations() {
    return violations;
  }

  /**
   * @throws ValidationException naming all that is wrong
   */
  void check() {
    violations.throwIfAny();
  }

  private <T> T required(String parameter, T value) {
    if (value == null) {
      violations.add(parameter, RequestValidator.REQUIRED);
    }
    return value;
  }

  private <T> T typed(String parameter, Class<T> type, String message) {
    JsonValue value = value(parameter);
    if (value == null || value == JsonNull.NULL) {
      return null;
    }
    if (!type.isInstance(value)) {
      violations.settle(parameter, message);
      return null;
    }
    return type.cast(value);
  }

  private JsonValue value(String parameter) {
    int place = parameters.indexOf(parameter);
    return place < given.size() ? given.get(place) : null;
  }
}
