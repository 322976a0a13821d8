package io.tokenvault.domain.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * Compares one attribute of a token with a value. Containers are compared in lower case, and one
 * container that matches is enough; ids are compared as they are.
 */
public record Condition(Attribute attribute, Operator operator, String value) {

  private static final int MAX_VALUE_LENGTH = 200;

  /** What a valid value looks like, for messages. */
  static final String VALUE_SHAPE = "must be 1 to " + MAX_VALUE_LENGTH + " characters long";

  public Condition {
    Objects.requireNonNull(attribute, "attribute");
    Objects.requireNonNull(operator, "operator");
    if (!isValue(value)) {
      throw new IllegalArgumentException(VALUE_SHAPE);
    }
    if (attribute == Attribute.CONTAINER) {
      value = value.toLowerCase(Locale.ROOT);
    }
  }

  static boolean isValue(String text) {
    return !text.isEmpty() && text.length() <= MAX_VALUE_LENGTH;
  }

  public boolean matches(TokenTraits token) {
    return switch (attribute) {
      case ID -> operator.test(token.id(), value);
      case CONTAINER ->
          token.containers().stream().anyMatch(each -> operator.test(each.path(), value));
    };
  }

  /** The token attribute that a condition looks at. */
  public enum Attribute {
    ID,
    CONTAINER;

    public String value() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Empty for anything but an exact value. */
    public static Optional<Attribute> of(String value) {
      return Arrays.stream(values()).filter(each -> each.value().equals(value)).findFirst();
    }
  }

  /** How the attribute is compared. */
  public enum Operator {
    STARTS_WITH(String::startsWith),
    EQUALS(String::equals);

    private final BiPredicate<String, String> comparison;

    Operator(BiPredicate<String, String> comparison) {
      this.comparison = comparison;
    }

    boolean test(String actual, String expected) {
      return comparison.test(actual, expected);
    }

    public String value() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Empty for anything but an exact value. */
    public static Optional<Operator> of(String value) {
      return Arrays.stream(values()).filter(each -> each.value().equals(value)).findFirst();
    }
  }
}
