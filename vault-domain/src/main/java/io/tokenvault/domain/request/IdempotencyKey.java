package io.tokenvault.domain.request;

import io.tokenvault.domain.failure.ValidationException;
import java.util.List;
import java.util.Optional;

/**
 * The key by which a client marks a request as safe to retry: 1 to 255 visible ASCII characters. It
 * can reveal data, so it is neither stored nor logged in the clear.
 */
public final class IdempotencyKey {

  /** The maximum length of a key, in characters. */
  public static final int MAX_LENGTH = 255;

  private static final char FIRST = '!';
  private static final char LAST = '~';

  private final String text;

  private IdempotencyKey(String text) {
    this.text = text;
  }

  /**
   * Parses the header.
   *
   * @param header its name, for messages
   * @param values all values that were sent under the name
   * @return empty if there is none
   * @throws ValidationException if there are several values, or the value is not a valid key
   */
  public static Optional<IdempotencyKey> read(String header, List<String> values) {
    if (values.isEmpty()) {
      return Optional.empty();
    }
    if (values.size() > 1) {
      throw ValidationException.of(header, "must be sent once");
    }
    String text = values.get(0);
    if (text.isEmpty() || text.length() > MAX_LENGTH) {
      throw ValidationException.of(header, "must be 1 to " + MAX_LENGTH + " characters long");
    }
    if (!text.chars().allMatch(each -> each >= FIRST && each <= LAST)) {
      throw ValidationException.of(
          header, "must consist of visible ASCII characters, without spaces");
    }
    return Optional.of(new IdempotencyKey(text));
  }

  public String text() {
    return text;
  }

  @Override
  public String toString() {
    return "IdempotencyKey[redacted]";
  }
}
