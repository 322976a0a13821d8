package io.tokenvault.adapters.http;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits without throwing {@link InterruptedException}. */
public final class UncheckedWait {

  private static final int TIMEOUT_SECONDS = 20;

  private UncheckedWait() {}

  public static void sleep(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException interruption) {
      throw interrupted(interruption);
    }
  }

  public static void await(CountDownLatch latch) {
    try {
      if (!latch.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("timed out");
      }
    } catch (InterruptedException interruption) {
      throw interrupted(interruption);
    }
  }

  private static IllegalStateException interrupted(InterruptedException interruption) {
    Thread.currentThread().interrupt();
    return new IllegalStateException(interruption);
  }
}
