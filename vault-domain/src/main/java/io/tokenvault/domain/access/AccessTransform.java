package io.tokenvault.domain.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The form in which an access rule shows a token's data in responses, from the weakest to the
 * strongest.
 */
public enum AccessTransform {
  /** Omits the data. */
  REDACT,
  /** Shows the data through the token's mask, and omits it if there is none. */
  MASK,
  /** Shows the data unchanged. */
  REVEAL;

  /** Returns the exact value in requests and responses. */
  public String value() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Parses an exact value; empty for anything else. */
  public static Optional<AccessTransform> of(String value) {
    return Arrays.stream(values()).filter(each -> each.value().equals(value)).findFirst();
  }

  /** Returns the transform that shows less. */
  public AccessTransform weaker(AccessTransform other) {
    return compareTo(other) <= 0 ? this : other;
  }
}
