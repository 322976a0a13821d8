package io.tokenvault.domain.token;

import io.tokenvault.domain.access.Container;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The kinds of data that a token can hold; each has a container that it goes to by default. */
public enum TokenType {
  TOKEN("Token", "/general/high/"),
  CARD("Card", "/pci/high/"),
  BANK("Bank", "/bank/high/"),
  CARD_NUMBER("Card Number", "/pci/high/"),
  US_BANK_ACCOUNT_NUMBER("US Bank Account Number", "/bank/high/"),
  US_BANK_ROUTING_NUMBER("US Bank Routing Number", "/bank/low/"),
  SOCIAL_SECURITY_NUMBER("Social Security Number", "/pii/high/"),
  EMPLOYER_ID_NUMBER("Employer ID Number", "/pii/high/");

  private final String displayName;
  private final Container defaultContainer;

  TokenType(String displayName, String defaultContainer) {
    this.displayName = displayName;
    this.defaultContainer = new Container(defaultContainer);
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

  /** Empty for anything but an exact value. */
  public static Optional<TokenType> of(String value) {
    return Arrays.stream(values()).filter(type -> type.value().equals(value)).findFirst();
  }

  /** The values, for messages. */
  public static String choices() {
    return Arrays.stream(values()).map(TokenType::value).collect(Collectors.joining(", "));
  }
}
