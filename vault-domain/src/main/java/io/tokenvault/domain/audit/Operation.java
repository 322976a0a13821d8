package io.tokenvault.domain.audit;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The kind of an audited operation. */
public enum Operation {
  CREATE,
  READ,
  UPDATE,
  DELETE,
  USE,
  INVOKE,
  REGENERATE,
  SEARCH,
  /** An unknown value in a stored entry; nothing is recorded with it. */
  UNKNOWN;

  /** Returns the value in responses. */
  public String value() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Parses the exact value of an operation that can be recorded; empty for anything else. */
  public static Optional<Operation> of(String value) {
    return recorded().filter(each -> each.value().equals(value)).findFirst();
  }

  /** Returns the values that can be recorded, joined by commas for messages. */
  public static String choices() {
    return recorded().map(Operation::value).collect(Collectors.joining(", "));
  }

  private static Stream<Operation> recorded() {
    return Stream.of(values()).filter(each -> each != UNKNOWN);
  }
}
