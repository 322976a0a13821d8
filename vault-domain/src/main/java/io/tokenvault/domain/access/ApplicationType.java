package io.tokenvault.domain.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What an application is for, which limits what it may be granted (interface, section 2). */
public enum ApplicationType {
  PRIVATE,
  PUBLIC,
  MANAGEMENT,
  EXPIRING;

  /** The exact value in requests and answers, lower case. */
  public String value() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Empty for anything but one of the exact values. */
  public static Optional<ApplicationType> of(String value) {
    return Arrays.stream(values()).filter(type -> type.value().equals(value)).findFirst();
  }

  /** The values, for messages. */
  public static String choices() {
    return Arrays.stream(values()).map(ApplicationType::value).collect(Collectors.joining(", "));
  }
}
