package io.tokenvault.server.place;

import java.time.Duration;

/** How much the tests try: a little in every build, all that they can with {@code -Plong}. */
public final class Effort {

  /** Whether this is the long run. */
  public static final boolean IS_FULL = "full".equals(System.getProperty("vault.test.size"));

  private static final Duration REST = Duration.ofMillis(10);

  private Effort() {}

  /** What a client of a steady load does between its requests; in the long run nothing. */
  public static void restAwhile() {
    if (IS_FULL) {
      return;
    }
    try {
      Thread.sleep(REST.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
