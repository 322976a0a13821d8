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
    violations.checkRequired(
        path + ".attribute",
        attribute,
        given -> Condition.Attribute.of(given).isPresent(),
        unknown -> ShownName.noneOf("id, container", unknown));
    violations.checkRequired(
        path + ".operator",
        operator,
        given -> Condition.Operator.of(given).isPresent(),
        unknown -> ShownName.noneOf("starts_with, equals", unknown));
    violations.checkRequired(
        path + ".value",
        value,
        given -> !given.isEmpty() && given.length() <= MAX_VALUE_LENGTH,
        invalid -> "must be 1 to " + MAX_VALUE_LENGTH + " characters long");
  }

  /** Converts a valid draft. */
  Condition toCondition() {
    return new Condition(
        Condition.Attribute.of(attribute).orElseThrow(),
        Condition.Operator.of(operator).orElseThrow(),
        value);
  }
}
