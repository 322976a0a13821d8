package io.tokenvault.engine;

import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.ports.usecase.Admission;
import io.tokenvault.ports.usecase.ProxyInvocations;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records how invocations ended, best effort, without keeping their callers waiting. */
final class InvocationEnds implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(InvocationEnds.class);
  private static final int THREADS = 4;
  private static final int WAITING = 10_000;
  private static final int CLOSING_SECONDS = 10;

  private final ProxyInvocations invocations;
  private final ThreadPoolExecutor executor;

  InvocationEnds(ProxyInvocations invocations) {
    this.invocations = invocations;
    this.executor =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(WAITING),
            task -> daemon(task));
    executor.allowCoreThreadTimeOut(true);
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "invocation-ends");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * @param outcome a fixed text
   */
  void record(Exchange exchange, String outcome) {
    if (!exchange.isRecorded()) {
      return;
    }
    // Nothing else of the exchange may wait with them: its body is no longer counted as held.
    Admission admission = exchange.admission();
    Destination destination = exchange.destination();
    try {
      executor.execute(() -> write(admission, destination, outcome));
    } catch (RejectedExecutionException full) {
      LOG.warn("the end of an invocation was not recorded: too many are waiting");
    }
  }

  private void write(Admission admission, Destination destination, String outcome) {
    try {
      invocations.end(admission, destination, outcome);
    } catch (RuntimeException failed) {
      LOG.warn("the end of an invocation was not recorded: {}", failed.getClass().getName());
    }
  }

  /** Waits a little for what is not written yet. */
  @Override
  public void close() {
    executor.shutdown();
    try {
      if (!executor.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS)) {
        executor.shutdownNow();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
