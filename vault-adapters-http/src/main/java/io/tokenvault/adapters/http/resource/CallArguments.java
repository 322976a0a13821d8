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
 * The positional arguments of a call, read by the names of its parameters. An argument of another
 * type becomes a violation.
 *
 * <p>As in a request body, values are not coerced, and null counts as omitted, except where any
 * JSON value is accepted.
 */
final class CallArguments {

  private final List<String> parameters;
  private final List<JsonValue> given;
  private final Violations violations = new Violations();

  /**
   * Assigns arguments to parameters. Surplus arguments that are not null become violations.
   *
   * @param parameters the names of all parameters, in order
   * @param given the arguments; trailing ones may be omitted
   */
  CallArguments(List<String> parameters, List<JsonValue> given) {
    this.parameters = parameters;
    this.given = given;
    for (int i = parameters.size(); i < given.size(); i++) {
      if (given.get(i) != JsonNull.NULL) {
        violations.add(
            "arguments[" + i + "]", "is unexpected after " + String.join(", ", parameters));
      }
    }
  }

  /** Returns an argument of any type, null included; only a missing one is a violation. */
  JsonValue any(String parameter) {
    return required(parameter, value(parameter));
  }

  /** Returns an object; a missing one is a violation. */
  JsonObject object(String parameter) {
    return required(parameter, optionalObject(parameter));
  }

  /** Returns an object, or null if it is missing. */
  JsonObject optionalObject(String parameter) {
    return typed(parameter, JsonObject.class, "must be an object");
  }

  /** Returns a string; a missing one is a violation. */
  String text(String parameter) {
    return required(parameter, optionalText(parameter));
  }

  /** Returns a string, or null if it is missing. */
  String optionalText(String parameter) {
    JsonString text = typed(parameter, JsonString.class, "must be a string");
    return text == null ? null : text.value();
  }

  /** Returns the violations found so far, to which the call may add its own. */
  Violations violations() {
    return violations;
  }

  /**
   * Checks that there are no violations. Must be called before the arguments are used.
   *
   * @throws ValidationException naming all violations
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

  /** Returns an argument of a type; null if it is missing, null, or a violation. */
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

  /** Returns an argument as it was given, or null if there is none. */
  private JsonValue value(String parameter) {
    int place = parameters.indexOf(parameter);
    return place < given.size() ? given.get(place) : null;
  }
}
