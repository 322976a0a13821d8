package io.tokenvault.domain.access;

import io.tokenvault.domain.NamedConstant;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The type of an application, which limits the permissions that it may hold (interface, section 2).
 */
public enum ApplicationType implements NamedConstant {
  PRIVATE,
  PUBLIC,
  MANAGEMENT,
  EXPIRING;

  /** Parses an exact value; empty for anything else. */
  public static Optional<ApplicationType> of(String value) {
    return Arrays.stream(values()).filter(type -> type.value().equals(value)).findFirst();
  }

  /** Returns all values, joined by commas for messages. */
  public static String choices() {
    return Arrays.stream(values()).map(ApplicationType::value).collect(Collectors.joining(", "));
  }
}
