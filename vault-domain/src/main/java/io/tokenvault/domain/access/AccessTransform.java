package io.tokenvault.domain.access;

import io.tokenvault.domain.NamedConstant;
import java.util.Arrays;
import java.util.Optional;

/**
 * The form in which an access rule shows a token's data in responses, from the weakest to the
 * strongest.
 */
public enum AccessTransform implements NamedConstant {
  /** Omits the data. */
  REDACT,
  /** Shows the data through the token's mask, and omits it if there is none. */
  MASK,
  /** Shows the data unchanged. */
  REVEAL;

  /** Parses an exact value; empty for anything else. */
  public static Optional<AccessTransform> of(String value) {
    return Arrays.stream(values()).filter(each -> each.value().equals(value)).findFirst();
  }

  /** Returns the transform that shows less. */
  public AccessTransform weaker(AccessTransform other) {
    return compareTo(other) <= 0 ? this : other;
  }
}
