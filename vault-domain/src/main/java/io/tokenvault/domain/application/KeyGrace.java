package io.tokenvault.domain.application;

import java.time.Duration;
import java.util.Optional;

/**
 * How long an application's earlier keys go on working once there is a new one, in whole seconds.
 * One whose time of grace runs already ends when that does, if it is sooner: no key outlives one
 * that came after it.
 */
public record KeyGrace(Duration duration) {

  public static final Duration LONGEST = Duration.ofDays(7);

  /** How many earlier keys of an application may work at the same time, beside its present one. */
  public static final int MOST_EARLIER_KEYS = 4;

  /** Earlier keys end at once. */
  public static final KeyGrace NONE = new KeyGrace(Duration.ZERO);

  /** What is accepted, for messages. */
  public static final String SHAPE =
      "must be a whole number of seconds from 0 to " + LONGEST.toSeconds();

  public KeyGrace {
    if (duration.isNegative() || duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("a time of grace is 0 to 7 days");
    }
  }

  /** Empty for anything but decimal digits of a number that is in the range. */
  public static Optional<KeyGrace> parse(String seconds) {
    boolean digits = !seconds.isEmpty() && seconds.chars().allMatch(c -> c >= '0' && c <= '9');
    try {
      return digits
          ? Optional.of(Duration.ofSeconds(Integer.parseInt(seconds)))
              .filter(duration -> duration.compareTo(LONGEST) <= 0)
              .map(KeyGrace::new)
          : Optional.empty();
    } catch (NumberFormatException tooLarge) {
      return Optional.empty();
    }
  }

  public boolean isNone() {
    return duration.isZero();
  }
}
