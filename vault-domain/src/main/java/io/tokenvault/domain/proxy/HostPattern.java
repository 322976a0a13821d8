package io.tokenvault.domain.proxy;

import io.tokenvault.domain.failure.ValidationException;
import java.util.Locale;
import java.util.Objects;

/**
 * Which hosts are meant: one by its DNS name, or with {@code *.} before a name all hosts under it,
 * but not that name itself. Upper case is stored as lower case; ports are of no account.
 */
public record HostPattern(String text) {

  /** What a valid pattern looks like, for messages. */
  public static final String SHAPE =
      "must be a DNS name such as api.example.com, or *. and a name for all hosts under it";

  private static final String ANY_LABELS = "*.";

  /**
   * @throws ValidationException at {@code host}, if the text has another shape
   */
  public HostPattern {
    Objects.requireNonNull(text, "text");
    if (!isValid(text)) {
      throw ValidationException.of("host", SHAPE);
    }
    text = text.toLowerCase(Locale.ROOT);
  }

  public static boolean isValid(String text) {
    String name = text.startsWith(ANY_LABELS) ? text.substring(ANY_LABELS.length()) : text;
    try {
      return Destination.parse("https://" + name).host().equalsIgnoreCase(name);
    } catch (InvalidDestinationException invalid) {
      return false;
    }
  }

  /** Whether it means one host only. */
  public boolean isExact() {
    return !text.startsWith(ANY_LABELS);
  }

  /**
   * @param host in lower case
   */
  public boolean matches(String host) {
    return isExact() ? host.equals(text) : host.endsWith(text.substring(1));
  }

  /** Whether it means every host that the other means. */
  boolean covers(HostPattern other) {
    return other.isExact() ? matches(other.text) : !isExact() && matches(other.text.substring(1));
  }

  @Override
  public String toString() {
    return text;
  }
}
