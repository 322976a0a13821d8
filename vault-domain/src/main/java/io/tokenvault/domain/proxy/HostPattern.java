package io.tokenvault.domain.proxy;

import io.tokenvault.domain.failure.ValidationException;
import java.util.Locale;
import java.util.Objects;

/**
 * A pattern for hosts: a DNS name for one host, or {@code *.} and a name for all hosts below it,
 * excluding the name itself. It is converted to lowercase, and ports are ignored.
 */
public record HostPattern(String text) {

  /** The description of a valid pattern, for messages. */
  public static final String SHAPE =
      "must be a DNS name such as api.example.com, or *. followed by a name for all its subdomains";

  private static final String ANY_LABELS = "*.";

  /**
   * Creates a pattern.
   *
   * @throws ValidationException at {@code host} if it is invalid
   */
  public HostPattern {
    Objects.requireNonNull(text, "text");
    if (!isValid(text)) {
      throw ValidationException.of("host", SHAPE);
    }
    text = text.toLowerCase(Locale.ROOT);
  }

  /** Returns whether a string is a valid pattern. */
  public static boolean isValid(String text) {
    String name = text.startsWith(ANY_LABELS) ? text.substring(ANY_LABELS.length()) : text;
    try {
      return Destination.parse("https://" + name).host().equalsIgnoreCase(name);
    } catch (InvalidDestinationException invalid) {
      return false;
    }
  }

  /** Returns whether it matches one host only. */
  public boolean isExact() {
    return !text.startsWith(ANY_LABELS);
  }

  /**
   * Returns whether it matches a host.
   *
   * @param host in lowercase
   */
  public boolean matches(String host) {
    return isExact() ? host.equals(text) : host.endsWith(text.substring(1));
  }

  /** Returns whether it matches every host that the other matches. */
  boolean covers(HostPattern other) {
    return other.isExact() ? matches(other.text) : !isExact() && matches(other.text.substring(1));
  }

  @Override
  public String toString() {
    return text;
  }
}
