package io.tokenvault.server.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delays the main thread until the process is asked to stop, and the end of the process until the
 * main thread has released its resources.
 */
final class ShutdownSignal implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ShutdownSignal.class);
  private static final Duration CLEAN_UP = Duration.ofSeconds(90);

  private final CountDownLatch received = new CountDownLatch(1);
  private final CountDownLatch cleanedUp = new CountDownLatch(1);

  private final Duration limit;

  /**
   * Registers the shutdown hook.
   *
   * @param delay how long the server continues to serve before it starts to stop
   */
  ShutdownSignal(Duration delay) {
    limit = delay.plus(CLEAN_UP);
    Runtime.getRuntime().addShutdownHook(new Thread(this::stop, "stop"));
  }

  /**
   * Wakes the main thread and waits until it is done, but at most for the delay and 90 seconds
   * more. Then the process ends with status 1.
   */
  private void stop() {
    received.countDown();
    try {
      if (!cleanedUp.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.error("The server did not stop within {} s; its process ends now", limit.toSeconds());
        Runtime.getRuntime().halt(1);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until the process is asked to stop. */
  void await() throws InterruptedException {
    received.await();
  }

  /** Lets the process end. */
  @Override
  public void close() {
    cleanedUp.countDown();
  }
}
