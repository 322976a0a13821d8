package io.tokenvault.engine.transform;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what comes about by itself. */
public final class Eventually {

  private static final long PAUSE_NANOS = 1_000_000;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private Eventually() {}

  public static void holds(String what, BooleanSupplier fact) {
    long last = System.nanoTime() + LIMIT.toNanos();
    while (!fact.getAsBoolean() && System.nanoTime() - last < 0) {
      // Not at the expense of what it waits for.
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    assertThat(fact.getAsBoolean()).as(what).isTrue();
  }

  /** Waits until a latch is open. */
  public static void opens(CountDownLatch latch) {
    try {
      assertThat(latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }
}
