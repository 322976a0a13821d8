package io.tokenvault.domain.access;

import io.tokenvault.domain.failure.ValidationException;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A place for tokens: {@code /}, or segments of {@code [a-z0-9_-]} between slashes, starting and
 * ending with a slash; at most 200 characters; upper case is stored as lower case.
 */
public record Container(String path) {

  public static final int MAX_LENGTH = 200;

  /** What a valid container looks like, for messages. */
  public static final String SHAPE =
      "must be / or segments of a-z, 0-9, _ and - between slashes, starting and ending with /, "
          + "at most "
          + MAX_LENGTH
          + " characters";

  private static final Pattern PATH = Pattern.compile("/(?:[A-Za-z0-9_-]++/)*+");

  /**
   * @throws ValidationException at {@code container}, if the path has another shape
   */
  public Container {
    Objects.requireNonNull(path, "path");
    if (!isValid(path)) {
      throw ValidationException.of("container", SHAPE);
    }
    path = path.toLowerCase(Locale.ROOT);
  }

  public static boolean isValid(String path) {
    return path.length() <= MAX_LENGTH && PATH.matcher(path).matches();
  }

  /** Whether the other container is this one or lies under it. */
  public boolean covers(Container other) {
    return other.path.startsWith(path);
  }

  @Override
  public String toString() {
    return path;
  }
}
