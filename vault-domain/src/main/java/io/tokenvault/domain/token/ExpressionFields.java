package io.tokenvault.domain.token;

import io.tokenvault.domain.failure.ShownName;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Validates properties that are defined to hold expressions. A malformed expression would be plain
 * text in a request body; in such a property it is a mistake.
 */
final class ExpressionFields {

  static final String UNCLOSED = "has {{ without }}; write an expression as {{ data | filter }}";
  static final String TAG =
      "has {%, but tags are not supported; write an expression as {{ data | filter }}";

  private static final String OPEN = "{{";
  private static final String CLOSE = "}}";
  private static final String OPEN_TAG = "{%";

  private ExpressionFields() {}

  /**
   * Adds violations for malformed expressions in any string of a value.
   *
   * @param path the path of the value
   */
  static void check(JsonValue value, String path, Violations violations) {
    check(value, () -> path, violations);
  }

  /** Adds violations for malformed expressions in a string. */
  static void check(String text, String path, Violations violations) {
    check(JsonValue.of(text), path, violations);
  }

  /** Checks a value whose path is computed only for a violation. */
  private static void check(JsonValue value, Supplier<String> path, Violations violations) {
    if (value instanceof JsonString string) {
      violation(string.value()).ifPresent(message -> violations.add(path.get(), message));
    } else if (value instanceof JsonArray array) {
      for (int i = 0; i < array.items().size() && !violations.isFull(); i++) {
        int index = i;
        check(array.items().get(i), () -> path.get() + "[" + index + "]", violations);
      }
    } else if (value instanceof JsonObject object) {
      for (Map.Entry<String, JsonValue> property : object.properties().entrySet()) {
        if (!violations.isFull()) {
          Supplier<String> below = () -> path.get() + "." + ShownName.inPath(property.getKey());
          check(property.getValue(), below, violations);
        }
      }
    }
  }

  /** Returns the violation of a text's expressions; empty if they are well-formed. */
  private static Optional<String> violation(String text) {
    int literal = 0;
    int open = text.indexOf(OPEN);
    int tag = text.indexOf(OPEN_TAG);
    while (open >= 0) {
      if (tag >= literal && tag < open) {
        return Optional.of(TAG);
      }
      int close = text.indexOf(CLOSE, open + OPEN.length());
      if (close < 0) {
        return Optional.of(UNCLOSED);
      }
      literal = close + CLOSE.length();
      open = text.indexOf(OPEN, literal);
      // A tag within an expression can be an argument of a filter.
      tag = tag < 0 || tag >= literal ? tag : text.indexOf(OPEN_TAG, literal);
    }
    return tag >= 0 ? Optional.of(TAG) : Optional.empty();
  }
}
