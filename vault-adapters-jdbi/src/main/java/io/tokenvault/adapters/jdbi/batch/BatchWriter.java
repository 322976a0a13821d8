package io.tokenvault.adapters.jdbi.batch;

import io.tokenvault.adapters.jdbi.sql.SqlFailures;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Limits;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import java.lang.Thread.State;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the work of concurrent calls together: a thread takes all that waits and sends it as one
 * statement, with one commit. A call joins only a batch that was not sent yet. A batch that the
 * database refused because of what is in it is sent again call by call; of one whose outcome nobody
 * knows, all calls fail.
 *
 * @param <W> what is to be written
 * @param <R> what becomes of it
 */
public final class BatchWriter<W, R> implements AutoCloseable {

  /** Writes all of it or, if it throws, nothing that it knows of; a result for each, in order. */
  public interface Statement<W, R> {
    List<R> write(List<W> batch);
  }

  private static final Logger LOG = LoggerFactory.getLogger(BatchWriter.class);

  /** One writes; the other is for when that takes long. */
  private static final int WRITERS = 2;

  // Beyond the limit in the server, for the connection to give up.
  private static final Duration GRACE = Duration.ofSeconds(2);
  private static final Duration AFTER_FAULT = Duration.ofMillis(50);
  private static final Duration CLOSING = Duration.ofSeconds(10);

  private final Statement<W, R> statement;
  private final ToIntFunction<W> size;
  private final BatchQueue<W, R> queue = new BatchQueue<>();
  private final Duration unsent;
  private final Duration sent;
  private final List<Thread> writers;
  private volatile boolean started;

  /**
   * @param name of its threads
   * @param size how many rows work writes and looks at
   */
  public BatchWriter(String name, Limits limits, Statement<W, R> statement, ToIntFunction<W> size) {
    this.statement = statement;
    this.size = size;
    this.unsent = limits.pool();
    this.sent = limits.pool().plus(limits.statement()).plus(GRACE);
    this.writers = Stream.generate(() -> writer(name)).limit(WRITERS).toList();
  }

  private Thread writer(String name) {
    Thread thread = new Thread(this::writeAll, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Where nothing is written no threads are needed. Those that cannot start now may do later. */
  private void ensureStarted() {
    if (!started) {
      try {
        startAll();
      } catch (Error noThreads) {
        throw RefusedException.unavailable(null);
      }
    }
  }

  private synchronized void startAll() {
    writers.stream().filter(each -> each.getState() == State.NEW).forEach(Thread::start);
    started = true;
  }

  /**
   * Waits until it is written.
   *
   * @throws RefusedException as {@link FailureCause#OVERLOADED} if too much waits; as unavailable
   *     if it was not written, or nobody knows whether it was
   */
  public R write(W work) {
    ensureStarted();
    PendingWrite<W, R> pending = new PendingWrite<>(work, size.applyAsInt(work), true);
    if (!queue.add(pending)) {
      throw new RefusedException(
          FailureCause.OVERLOADED, "Too many requests wait to be written; try again.");
    }
    return pending.await(unsent, sent);
  }

  /** Waits for nothing; false if there is no room. */
  public boolean writeSoon(W work) {
    ensureStarted();
    return queue.addPatient(new PendingWrite<>(work, size.applyAsInt(work), false));
  }

  /** Whatever happens, a writer goes on: without writers all that is to be written is refused. */
  private void writeAll() {
    boolean open = true;
    while (open) {
      try {
        open = writeNext();
      } catch (InterruptedException closing) {
        Thread.currentThread().interrupt();
        open = false;
      } catch (Throwable fault) {
        // Whoever waits for what it had taken is told at the end of the time.
        LockSupport.parkNanos(AFTER_FAULT.toNanos());
      }
    }
  }

  /** False after the end. */
  private boolean writeNext() throws InterruptedException {
    List<PendingWrite<W, R>> batch = queue.take();
    try {
      write(batch);
    } catch (Throwable fault) {
      fail(batch, RefusedException.unavailable(null));
    } finally {
      queue.written();
    }
    return !batch.isEmpty();
  }

  private void write(List<PendingWrite<W, R>> batch) {
    if (batch.isEmpty()) {
      return;
    }
    try {
      List<R> results = statement.write(batch.stream().map(PendingWrite::work).toList());
      for (int i = 0; i < batch.size(); i++) {
        batch.get(i).succeed(results.get(i));
      }
    } catch (RuntimeException failure) {
      if (batch.size() > 1 && SqlFailures.isDefinite(failure)) {
        batch.forEach(each -> write(List.of(each)));
      } else {
        fail(batch, failure);
      }
    }
  }

  private void fail(List<PendingWrite<W, R>> batch, RuntimeException failure) {
    long unheard = batch.stream().filter(each -> !each.fail(failure)).count();
    if (unheard > 0) {
      LOG.warn("{} writes of {} that nobody waited for failed", unheard, writers.get(0).getName());
    }
  }

  /** Writes what waits, for a while. */
  @Override
  public void close() {
    queue.close();
    long end = System.nanoTime() + CLOSING.toNanos();
    try {
      for (Thread writer : writers) {
        writer.join(Math.max(1, Duration.ofNanos(end - System.nanoTime()).toMillis()));
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
