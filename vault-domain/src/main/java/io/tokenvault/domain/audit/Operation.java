package io.tokenvault.domain.audit;

import io.tokenvault.domain.NamedConstant;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The kind of an audited operation. */
public enum Operation implements NamedConstant {
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
