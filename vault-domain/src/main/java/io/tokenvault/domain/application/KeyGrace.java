package io.tokenvault.domain.application;

import java.time.Duration;
import java.util.Optional;

/**
 * The grace period in which an application's earlier keys stay valid after a new one was generated,
 * in whole seconds, up to 7 days.
 *
 * <p>A key that is already in a grace period ends at the earlier of the two times, so that no key
 * outlives a newer one.
 */
public record KeyGrace(Duration duration) {

  public static final Duration LONGEST = Duration.ofDays(7);

  /** The maximum number of earlier keys that may be valid in addition to the current one. */
  public static final int MOST_EARLIER_KEYS = 4;

  /** No grace period: earlier keys end immediately. */
  public static final KeyGrace NONE = new KeyGrace(Duration.ZERO);

  /** The description of a valid grace period, for messages. */
  public static final String SHAPE =
      "must be a whole number of seconds from 0 to " + LONGEST.toSeconds();

  public KeyGrace {
    if (duration.isNegative() || duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("a grace period is 0 to 7 days");
    }
  }

  /** Parses decimal digits of a number in the range; empty for anything else. */
  public static Optional<KeyGrace> parse(String seconds) {
    // Nine digits fit in an int; the range is checked below.
    return Optional.of(seconds)
        .filter(text -> text.matches("0*[0-9]{1,9}"))
        .map(text -> Duration.ofSeconds(Integer.parseInt(text)))
        .filter(duration -> duration.compareTo(LONGEST) <= 0)
        .map(KeyGrace::new);
  }

  public boolean isNone() {
    return duration.isZero();
  }
}
