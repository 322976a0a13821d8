package io.tokenvault.adapters.http;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits without throwing {@link InterruptedException}. */
public final class Waiting {

  private static final int PATIENCE_SECONDS = 20;

  private Waiting() {}

  public static void pause(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException stopped) {
      throw interrupted(stopped);
    }
  }

  public static void await(CountDownLatch latch) {
    try {
      if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("timed out");
      }
    } catch (InterruptedException stopped) {
      throw interrupted(stopped);
    }
  }

  private static IllegalStateException interrupted(InterruptedException stopped) {
    Thread.currentThread().interrupt();
    return new IllegalStateException(stopped);
  }
}
