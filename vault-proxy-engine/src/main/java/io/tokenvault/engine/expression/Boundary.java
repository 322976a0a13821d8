package io.tokenvault.engine.expression;

import java.util.Optional;

/** What stands between the parts of a multipart body. */
final class Boundary {

  private static final int MAX_LENGTH = 70;

  private Boundary() {}

  /** Empty if it is missing, ambiguous, or cannot be one (RFC 2046, section 5.1.1). */
  static Optional<String> of(MediaType type) {
    return type.isExtended("boundary")
        ? Optional.empty()
        : type.parameter("boundary").filter(Boundary::isPossible);
  }

  private static boolean isPossible(String boundary) {
    return !boundary.isEmpty()
        && boundary.length() <= MAX_LENGTH
        && !boundary.endsWith(" ")
        && boundary.chars().allMatch(each -> each >= ' ' && each <= '~');
  }
}
