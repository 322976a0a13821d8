package io.tokenvault.server.limits;

import java.time.Duration;

/**
 * A limit on requests over time, in terms of a token bucket.
 *
 * @param perMinute requests per minute in the long run; they are refilled evenly, so that 60 are
 *     one per second
 * @param burst requests that are allowed at once after a time without any
 */
public record RateLimit(int perMinute, int burst) {
  public RateLimit {
    if (perMinute < 1 || burst < 1) {
      throw new IllegalArgumentException("a rate lets something through");
    }
  }

  /** Returns the time without requests after which the whole burst is available again. */
  Duration refill() {
    return Duration.ofMinutes(1).multipliedBy(burst).dividedBy(perMinute);
  }
}
