package io.tokenvault.domain.access;

import io.tokenvault.domain.NamedConstant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * Compares one attribute of a token with a value. Containers are compared in lowercase, and one
 * matching container suffices; ids are compared case-sensitively.
 *
 * @param value not empty
 */
public record Condition(Attribute attribute, Operator operator, String value) {

  public Condition {
    Objects.requireNonNull(attribute, "attribute");
    Objects.requireNonNull(operator, "operator");
    if (value.isEmpty()) {
      throw new IllegalArgumentException("a condition compares with something");
    }
    if (attribute == Attribute.CONTAINER) {
      value = value.toLowerCase(Locale.ROOT);
    }
  }

  /** Returns whether a token meets the condition. */
  public boolean matches(TokenTraits token) {
    return switch (attribute) {
      case ID -> operator.test(token.id(), value);
      case CONTAINER ->
          token.containers().stream().anyMatch(each -> operator.test(each.path(), value));
    };
  }

  /** The token attribute that a condition tests. */
  public enum Attribute implements NamedConstant {
    ID,
    CONTAINER;

    /** Parses an exact value; empty for anything else. */
    public static Optional<Attribute> of(String value) {
      return Arrays.stream(values()).filter(each -> each.value().equals(value)).findFirst();
    }
  }

  /** The comparison of the attribute with the value. */
  public enum Operator implements NamedConstant {
    STARTS_WITH,
    EQUALS;

    boolean test(String actual, String expected) {
      return this == EQUALS ? actual.equals(expected) : actual.startsWith(expected);
    }

    /** Parses an exact value; empty for anything else. */
    public static Optional<Operator> of(String value) {
      return Arrays.stream(values()).filter(each -> each.value().equals(value)).findFirst();
    }
  }
}
