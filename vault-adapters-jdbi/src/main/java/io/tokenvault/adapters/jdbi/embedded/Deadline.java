package io.tokenvault.adapters.jdbi.embedded;

import java.time.Duration;

/** A deadline for an operation of another process, with a pause between polls. */
final class Deadline {

  private static final long PAUSE_MILLIS = 20;

  private final long end;

  private Deadline(long end) {
    this.end = end;
  }

  /** Returns the deadline that is the given time from now. */
  static Deadline in(Duration timeout) {
    return new Deadline(System.nanoTime() + timeout.toNanos());
  }

  boolean passed() {
    return System.nanoTime() - end >= 0;
  }

  /**
   * Sleeps for 20 ms before the next poll.
   *
   * @throws EmbeddedPostgresException if the thread is interrupted; its interrupt flag stays set
   */
  void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EmbeddedPostgresException("Interrupted while waiting for PostgreSQL", e);
    }
  }
}
