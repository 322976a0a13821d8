package io.tokenvault.domain.access;

import io.tokenvault.domain.failure.ShownName;
import io.tokenvault.domain.failure.Violations;

/** A condition as a client wrote it; any part may be null or invalid. */
public record ConditionDraft(String attribute, String operator, String value) {

  private static final int MAX_VALUE_LENGTH = 200;

  static ConditionDraft of(Condition condition) {
    return new ConditionDraft(
        condition.attribute().value(), condition.operator().value(), condition.value());
  }

  void check(String path, Violations violations) {
    if (attribute == null) {
      violations.add(path + ".attribute", "is required");
    } else if (Condition.Attribute.of(attribute).isEmpty()) {
      violations.add(path + ".attribute", ShownName.noneOf("id, container", attribute));
    }
    if (operator == null) {
      violations.add(path + ".operator", "is required");
    } else if (Condition.Operator.of(operator).isEmpty()) {
      violations.add(path + ".operator", ShownName.noneOf("starts_with, equals", operator));
    }
    if (value == null) {
      violations.add(path + ".value", "is required");
    } else if (value.isEmpty() || value.length() > MAX_VALUE_LENGTH) {
      violations.add(path + ".value", "must be 1 to " + MAX_VALUE_LENGTH + " characters long");
    }
  }

  /** Converts a valid draft. */
  Condition toCondition() {
    return new Condition(
        Condition.Attribute.of(attribute).orElseThrow(),
        Condition.Operator.of(operator).orElseThrow(),
        value);
  }
}
