package io.tokenvault.domain.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The type of an application, which limits the permissions that it may hold (interface, section 2).
 */
public enum ApplicationType {
  PRIVATE,
  PUBLIC,
  MANAGEMENT,
  EXPIRING;

  /** Returns the exact value in requests and responses, in lowercase. */
  public String value() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Parses an exact value; empty for anything else. */
  public static Optional<ApplicationType> of(String value) {
    return Arrays.stream(values()).filter(type -> type.value().equals(value)).findFirst();
  }

  /** Returns all values, joined by commas for messages. */
  public static String choices() {
    return Arrays.stream(values()).map(ApplicationType::value).collect(Collectors.joining(", "));
  }
}
