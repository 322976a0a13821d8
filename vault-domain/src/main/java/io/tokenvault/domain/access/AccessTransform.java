package io.tokenvault.domain.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What an access rule does to a token's data in answers, from the weakest to the strongest. */
public enum AccessTransform {
  /** Data is left out. */
  REDACT,
  /** Data is shown through the token's mask, and left out where there is none. */
  MASK,
  /** Data is shown as it is. */
  REVEAL;

  /** The exact value in requests and answers. */
  public String value() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Empty for anything but an exact value. */
  public static Optional<AccessTransform> of(String value) {
    return Arrays.stream(values()).filter(each -> each.value().equals(value)).findFirst();
  }

  public AccessTransform weaker(AccessTransform other) {
    return compareTo(other) <= 0 ? this : other;
  }
}
