package io.tokenvault.engine.transform;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits up to a minute for conditions. */
public final class Eventually {

  private static final long PAUSE_NANOS = 1_000_000;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private Eventually() {}

  /** Waits until a condition holds, and fails if it does not in time. */
  public static void holds(String description, BooleanSupplier condition) {
    long last = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean() && System.nanoTime() - last < 0) {
      // Leaves the CPU to the work that is waited for.
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    assertThat(condition.getAsBoolean()).as(description).isTrue();
  }

  /** Waits until the count of a latch is zero. */
  public static void awaitLatch(CountDownLatch latch) {
    try {
      assertThat(latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }
}
