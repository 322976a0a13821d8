package io.tokenvault.ports.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for asynchronous conditions. */
public final class Eventually {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(5);

  private Eventually() {}

  /** Waits until a condition is true; fails after a minute. */
  public static void holds(String description, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TIMEOUT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadline).as(description).isNegative();
      LockSupport.parkNanos(POLL_INTERVAL.toNanos());
    }
  }
}
