package io.tokenvault.domain.proxy;

import io.tokenvault.domain.failure.Violations;
import java.util.Objects;

/**
 * The JavaScript of a transform as its author wrote it (interface, section 2, Proxy Transform). It
 * can contain secrets.
 *
 * @param source 1 to {@link #MAX_LENGTH} characters, not blank
 */
public record TransformCode(String source) {

  /** The maximum length in UTF-16 units, as JavaScript counts. */
  public static final int MAX_LENGTH = 50_000;

  public TransformCode {
    Objects.requireNonNull(source, "source");
    if (!isValid(source)) {
      throw new IllegalArgumentException("the code of a transform is empty or too long");
    }
  }

  static void check(String source, String path, Violations violations) {
    if (!isValid(source)) {
      violations.add(path, "must be JavaScript of 1 to " + MAX_LENGTH + " characters");
    }
  }

  private static boolean isValid(String source) {
    return !source.isBlank() && source.length() <= MAX_LENGTH;
  }

  /** Returns the length only, because the code can contain secrets. */
  @Override
  public String toString() {
    return "TransformCode[" + source.length() + " characters]";
  }
}
