package io.tokenvault.engine.transform;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for what comes about by itself. */
final class Eventually {

  private static final Duration LIMIT = Duration.ofSeconds(20);

  private Eventually() {}

  static void holds(String what, BooleanSupplier fact) {
    long last = System.nanoTime() + LIMIT.toNanos();
    while (!fact.getAsBoolean() && System.nanoTime() - last < 0) {
      Thread.onSpinWait();
      Thread.yield();
    }
    assertThat(fact.getAsBoolean()).as(what).isTrue();
  }
}
