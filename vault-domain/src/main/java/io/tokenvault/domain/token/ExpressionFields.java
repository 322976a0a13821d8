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
 * Checks fields that are defined to hold expressions for what looks like one and is none: in a
 * request body it would be text, here it is a mistake.
 */
final class ExpressionFields {

  static final String UNCLOSED =
      "has {{ without }}; an expression is written like {{ data | filter }}";
  static final String TAG =
      "has {%, but there are no tags; an expression is written like {{ data | filter }}";

  private static final String OPEN = "{{";
  private static final String CLOSE = "}}";
  private static final String OPEN_TAG = "{%";

  private final Violations violations;

  /** Steps to the value that is looked at, written out only where something is wrong. */
  private final Deque<String> path = new ArrayDeque<>();

  private ExpressionFields(Violations violations) {
    this.violations = violations;
  }

  /**
   * Notes what is wrong with any of a value's strings.
   *
   * @param path of the value
   */
  static void check(JsonValue value, String path, Violations violations) {
    ExpressionFields fields = new ExpressionFields(violations);
    fields.path.addLast(path);
    fields.check(value);
  }

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
      // Within an expression it can be an argument.
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
