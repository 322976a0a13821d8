package io.tokenvault.domain.tenant;

import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;

/** The name of a tenant, application or proxy: 1 to 200 code points, not blank. */
public record ResourceName(String value) {

  /** The maximum length in Unicode code points (interface, section 8). */
  public static final int MAX_LENGTH = 200;

  private static final String MESSAGE =
      "must be 1 to " + MAX_LENGTH + " characters long and not blank";

  /**
   * Creates a name.
   *
   * @throws ValidationException at {@code name} if it is invalid
   */
  public ResourceName {
    if (!isValid(value)) {
      throw ValidationException.of("name", MESSAGE);
    }
  }

  private static boolean isValid(String value) {
    return value != null
        && !value.isBlank()
        && value.codePointCount(0, value.length()) <= MAX_LENGTH;
  }

  /**
   * Adds a violation at {@code name} if a value is invalid as a new name, for which invisible
   * characters, such as a non-breaking space, are blank, too.
   */
  public static void check(String value, Violations violations) {
    if (!isValid(value) || value.codePoints().allMatch(ResourceName::isInvisible)) {
      violations.add("name", MESSAGE);
    }
  }

  private static boolean isInvisible(int character) {
    return Character.isWhitespace(character)
        || Character.isSpaceChar(character)
        || Character.getType(character) == Character.FORMAT;
  }

  @Override
  public String toString() {
    return value;
  }
}
