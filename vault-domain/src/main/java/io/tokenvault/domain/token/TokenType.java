package io.tokenvault.domain.token;

import io.tokenvault.domain.access.Container;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The kinds of data that a token can hold. Each has a container that it goes to by default, a shape
 * that its data must have, a mask, and an expression that tells equal content.
 */
public enum TokenType {
  TOKEN("Token", "/general/high/", DataShape.ANY),
  CARD("Card", "/pci/high/", DataShape.CARD),
  BANK("Bank", "/bank/high/", DataShape.BANK),
  CARD_NUMBER("Card Number", "/pci/high/", DataShape.CARD_NUMBER),
  US_BANK_ACCOUNT_NUMBER("US Bank Account Number", "/bank/high/", DataShape.ACCOUNT_NUMBER),
  US_BANK_ROUTING_NUMBER("US Bank Routing Number", "/bank/low/", DataShape.ROUTING_NUMBER),
  SOCIAL_SECURITY_NUMBER("Social Security Number", "/pii/high/", DataShape.NINE_DIGITS),
  EMPLOYER_ID_NUMBER("Employer ID Number", "/pii/high/", DataShape.NINE_DIGITS);

  private final String displayName;
  private final Container defaultContainer;
  private final DataShape shape;

  TokenType(String displayName, String defaultContainer, DataShape shape) {
    this.displayName = displayName;
    this.defaultContainer = new Container(defaultContainer);
    this.shape = shape;
  }

  /** The exact value in requests, answers and the audit log. */
  public String value() {
    return name().toLowerCase(Locale.ROOT);
  }

  public String displayName() {
    return displayName;
  }

  public Container defaultContainer() {
    return defaultContainer;
  }

  /** Notes what is wrong with data of this type; no message repeats any of it. */
  public void check(JsonValue data, Violations violations) {
    shape.check(data, violations);
  }

  /** Whether a token that was given no mask has one all the same. */
  public boolean hasDefaultMask() {
    return shape != DataShape.ANY;
  }

  /**
   * The mask of a token that was given none; empty if the type has none, too.
   *
   * @param data that passed {@link #check}; the mask shows only what is there
   */
  public Optional<JsonValue> defaultMask(JsonValue data) {
    return shape.mask(data);
  }

  /**
   * The expression that tells equal content, of a token that was given none.
   *
   * @param data that passed {@link #check}
   */
  public String defaultFingerprint(JsonValue data) {
    return shape.fingerprint(data);
  }

  /** Empty for anything but an exact value. */
  public static Optional<TokenType> of(String value) {
    return Arrays.stream(values()).filter(type -> type.value().equals(value)).findFirst();
  }

  /** The values, for messages. */
  public static String choices() {
    return Arrays.stream(values()).map(TokenType::value).collect(Collectors.joining(", "));
  }
}
