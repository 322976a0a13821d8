package io.tokenvault.server.cli.server;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Holds the main thread until the process is told to stop, and the process until the main thread
 * has cleaned up.
 */
final class ShutdownSignal implements AutoCloseable {

  private static final Duration CLEAN_UP = Duration.ofSeconds(90);

  private final CountDownLatch told = new CountDownLatch(1);
  private final CountDownLatch cleanedUp = new CountDownLatch(1);

  private final Duration limit;

  /**
   * @param delay how long it is served on before the cleaning up
   */
  ShutdownSignal(Duration delay) {
    limit = delay.plus(CLEAN_UP);
    Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "stop"));
  }

  private void stop() {
    told.countDown();
    try {
      if (!cleanedUp.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
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
