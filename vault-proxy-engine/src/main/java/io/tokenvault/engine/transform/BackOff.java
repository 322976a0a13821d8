package io.tokenvault.engine.transform;

import java.time.Duration;
import java.util.Optional;

/** Pauses that double with each failure in a row. */
final class BackOff {

  private static final Duration FIRST = Duration.ofMillis(250);
  private static final int MOST_DOUBLINGS = 7;

  private int failures;
  private long until;

  /** Counts a failure, and says how long to pause. */
  Duration fail() {
    Duration pause = FIRST.multipliedBy(1L << Math.min(failures, MOST_DOUBLINGS));
    failures++;
    until = System.nanoTime() + pause.toNanos();
    return pause;
  }

  void reset() {
    failures = 0;
  }

  /** What is left of the pause. */
  Optional<Duration> remaining() {
    long left = until - System.nanoTime();
    return failures > 0 && left > 0 ? Optional.of(Duration.ofNanos(left)) : Optional.empty();
  }
}
