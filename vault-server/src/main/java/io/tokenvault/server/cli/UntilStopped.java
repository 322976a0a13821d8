package io.tokenvault.server.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Holds the main thread until the process is told to stop, and the process until the main thread
 * has cleaned up.
 */
final class UntilStopped implements AutoCloseable {

  private static final long CLEAN_UP_SECONDS = 90;

  private final CountDownLatch told = new CountDownLatch(1);
  private final CountDownLatch cleanedUp = new CountDownLatch(1);

  UntilStopped() {
    Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "stop"));
  }

  private void stop() {
    told.countDown();
    try {
      if (!cleanedUp.await(CLEAN_UP_SECONDS, TimeUnit.SECONDS)) {
        Runtime.getRuntime().halt(1);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  void await() throws InterruptedException {
    told.await();
  }

  @Override
  public void close() {
    cleanedUp.countDown();
  }
}
