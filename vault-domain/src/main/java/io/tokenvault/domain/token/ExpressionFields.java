package io.tokenvault.domain.token;

import io.tokenvault.domain.failure.ShownName;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

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

  private final Violations violations;

  /** The steps to the current value, joined only for a violation. */
  private final Deque<String> path = new ArrayDeque<>();

  private ExpressionFields(Violations violations) {
    this.violations = violations;
  }

  /**
   * Adds violations for malformed expressions in any string of a value.
   *
   * @param path the path of the value
   */
  static void check(JsonValue value, String path, Violations violations) {
    ExpressionFields fields = new ExpressionFields(violations);
    fields.path.addLast(path);
    fields.check(value);
  }

  /** Adds violations for malformed expressions in a string. */
  static void check(String text, String path, Violations violations) {
    check(JsonValue.of(text), path, violations);
  }

  private void check(JsonValue value) {
    if (value instanceof JsonString string) {
      check(string.value());
    } else if (value instanceof JsonArray array) {
      for (int i = 0; i < array.items().size() && !violations.isFull(); i++) {
        step("[" + i + "]", array.items().get(i));
      }
    } else if (value instanceof JsonObject object) {
      for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
        if (!violations.isFull()) {
          step("." + ShownName.inPath(member.getKey()), member.getValue());
        }
      }
    }
  }

  private void step(String step, JsonValue value) {
    path.addLast(step);
    check(value);
    path.removeLast();
  }

  private void check(String text) {
    int literal = 0;
    int open = text.indexOf(OPEN);
    int tag = text.indexOf(OPEN_TAG);
    while (open >= 0) {
      if (tag >= literal && tag < open) {
        note(TAG);
        return;
      }
      int close = text.indexOf(CLOSE, open + OPEN.length());
      if (close < 0) {
        note(UNCLOSED);
        return;
      }
      literal = close + CLOSE.length();
      open = text.indexOf(OPEN, literal);
      // A tag within an expression can be an argument of a filter.
      tag = tag < 0 || tag >= literal ? tag : text.indexOf(OPEN_TAG, literal);
    }
    if (tag >= 0) {
      note(TAG);
    }
  }

  private void note(String message) {
    violations.add(String.join("", path), message);
  }
}
