package io.tokenvault.domain.access;

import io.tokenvault.domain.failure.ValidationException;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * A path that groups tokens, for example {@code /pci/high/}.
 *
 * <p>Either {@code /}, or segments of {@code [a-z0-9_-]} between slashes, starting and ending with
 * a slash; at most 200 characters. Uppercase letters are converted to lowercase.
 */
public record Container(String path) {

  public static final int MAX_LENGTH = 200;

  /** The description of a valid container, for messages. */
  public static final String SHAPE =
      "must be / or segments of a-z, 0-9, _ and - between slashes, starting and ending with /, "
          + "at most "
          + MAX_LENGTH
          + " characters";

  private static final Pattern PATH = Pattern.compile("/(?:[A-Za-z0-9_-]++/)*+");

  /**
   * Creates a container.
   *
   * @throws ValidationException at {@code container} if the path is invalid
   */
  public Container {
    Objects.requireNonNull(path, "path");
    if (!isValid(path)) {
      throw ValidationException.of("container", SHAPE);
    }
    path = path.toLowerCase(Locale.ROOT);
  }

  /** Returns whether a string is the path of a container. */
  public static boolean isValid(String path) {
    return path.length() <= MAX_LENGTH && PATH.matcher(path).matches();
  }

  /** Returns whether the other container is this one or below it. */
  public boolean covers(Container other) {
    return other.path.startsWith(path);
  }

  @Override
  public String toString() {
    return path;
  }
}
