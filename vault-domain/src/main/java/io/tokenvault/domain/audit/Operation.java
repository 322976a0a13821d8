package io.tokenvault.domain.audit;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What was done to an entity. */
public enum Operation {
  CREATE,
  READ,
  UPDATE,
  DELETE,
  USE,
  INVOKE,
  REGENERATE,
  SEARCH,
  /** Read from an entry that says something else; nothing is recorded with it. */
  UNKNOWN;

  /** The value in answers. */
  public String value() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Empty for anything but one of the exact values with which something is recorded. */
  public static Optional<Operation> of(String value) {
    return recorded().filter(each -> each.value().equals(value)).findFirst();
  }

  /** The values with which something is recorded, for messages. */
  public static String choices() {
    return recorded().map(Operation::value).collect(Collectors.joining(", "));
  }

  private static Stream<Operation> recorded() {
    return Stream.of(values()).filter(each -> each != UNKNOWN);
  }
}
