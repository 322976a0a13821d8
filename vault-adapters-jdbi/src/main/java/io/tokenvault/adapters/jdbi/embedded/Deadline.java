package io.tokenvault.adapters.jdbi.embedded;

import java.time.Duration;

/** How long to wait for something that another process does. */
final class Deadline {

  private static final long PAUSE_MILLIS = 20;

  private final long end;

  private Deadline(long end) {
    this.end = end;
  }

  static Deadline in(Duration patience) {
    return new Deadline(System.nanoTime() + patience.toNanos());
  }

  boolean passed() {
    return System.nanoTime() - end >= 0;
  }

  void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EmbeddedPostgresException("Interrupted while waiting for PostgreSQL", e);
    }
  }
}
