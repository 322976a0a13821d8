package io.tokenvault.server.e2e;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what comes about by itself. */
final class Eventually {

  private static final long PAUSE_MILLIS = 50;

  private Eventually() {}

  /** Returns when the condition holds; fails if it does not in time. */
  static void holds(String what, Duration limit, BooleanSupplier condition) {
    get(what, limit, () -> condition.getAsBoolean() ? Optional.of(what) : Optional.empty());
  }

  static <T> T get(String what, Duration limit, Supplier<Optional<T>> attempt) {
    long deadline = System.nanoTime() + limit.toNanos();
    Optional<T> result = attempt.get();
    while (result.isEmpty()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within " + limit + ": " + what);
      }
      pause();
      result = attempt.get();
    }
    return result.get();
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }
}
