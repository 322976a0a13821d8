package io.tokenvault.server.limits;

import java.time.Duration;

/**
 * How many requests are let through.
 *
 * @param perMinute in the long run; each comes back by itself, so that 60 are one a second
 * @param burst how many there may be at once after a time of silence
 */
public record RateLimit(int perMinute, int burst) {
  public RateLimit {
    if (perMinute < 1 || burst < 1) {
      throw new IllegalArgumentException("a rate lets something through");
    }
  }

  /** After how long without requests all of the burst is there again. */
  Duration refill() {
    return Duration.ofMinutes(1).multipliedBy(burst).dividedBy(perMinute);
  }
}
