package io.tokenvault.domain.token;

import io.tokenvault.domain.NamedConstant;
import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The kinds of data that a token can hold. Each has a default container, a schema for its data, a
 * default mask, and a default expression that identifies equal content.
 */
public enum TokenType implements NamedConstant {
  TOKEN("Token", "/general/high/", DataShape.ANY),
  CARD("Card", "/pci/high/", DataShape.CARD),
  BANK("Bank", "/bank/high/", DataShape.BANK),
  CARD_NUMBER("Card Number", "/pci/high/", DataShape.CARD_NUMBER),
  US_BANK_ACCOUNT_NUMBER("US Bank Account Number", "/bank/high/", DataShape.ACCOUNT_NUMBER),
  US_BANK_ROUTING_NUMBER("US Bank Routing Number", "/bank/low/", DataShape.ROUTING_NUMBER),
  SOCIAL_SECURITY_NUMBER("Social Security Number", "/pii/high/", DataShape.NINE_DIGITS),
  EMPLOYER_ID_NUMBER("Employer ID Number", "/pii/high/", DataShape.NINE_DIGITS);

  /** The default fingerprint expression of data that can be any JSON: all of it, as JSON. */
  public static final String ALL_DATA = "{{ data | stringify }}";

  private final String displayName;
  private final Container defaultContainer;
  private final DataShape shape;

  TokenType(String displayName, String defaultContainer, DataShape shape) {
    this.displayName = displayName;
    this.defaultContainer = new Container(defaultContainer);
    this.shape = shape;
  }

  public String displayName() {
    return displayName;
  }

  public Container defaultContainer() {
    return defaultContainer;
  }

  /** Adds violations of the type's schema; no message repeats any data. */
  public void check(JsonValue data, Violations violations) {
    shape.check(data, violations);
  }

  /** Returns whether a token without a mask has one by default. */
  public boolean hasDefaultMask() {
    return shape != DataShape.ANY;
  }

  /**
   * Returns the default mask; empty if the type has none.
   *
   * @param data data that passed {@link #check}; the mask refers only to existing properties
   */
  public Optional<JsonValue> defaultMask(JsonValue data) {
    return shape.mask(data);
  }

  /**
   * Returns the default expression that identifies equal content.
   *
   * @param data data that passed {@link #check}
   */
  public String defaultFingerprint(JsonValue data) {
    return shape.fingerprint(data);
  }

  /** Parses an exact value; empty for anything else. */
  public static Optional<TokenType> of(String value) {
    return Arrays.stream(values()).filter(type -> type.value().equals(value)).findFirst();
  }

  /** Returns all values, joined by commas for messages. */
  public static String choices() {
    return Arrays.stream(values()).map(TokenType::value).collect(Collectors.joining(", "));
  }
}
