package io.tokenvault.server.environment;

import java.time.Duration;

/** The size of the test run: small in every build, full with {@code -Plong}. */
public final class TestSize {

  /** True in the full run. */
  public static final boolean IS_FULL = "full".equals(System.getProperty("vault.test.size"));

  private static final Duration PAUSE = Duration.ofMillis(10);

  private TestSize() {}

  /** Pauses a client of a load between two requests; does nothing in the full run. */
  public static void pauseInSmallRun() {
    if (IS_FULL) {
      return;
    }
    try {
      Thread.sleep(PAUSE.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
