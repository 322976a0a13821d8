package io.tokenvault.adapters.jdbi.batch;

import io.tokenvault.adapters.jdbi.batch.BatchQueue.Pending;
import io.tokenvault.adapters.jdbi.sql.SqlFailures;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Limits;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import java.lang.Thread.State;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the work of concurrent calls together: a thread takes all queued work and sends it as one
 * statement with one commit.
 *
 * <p>If the database rejects a batch because of values in it, each call is sent alone, so that only
 * the faulty ones fail. If the outcome of a batch is unknown, all of its calls fail. Instances are
 * safe for use by many threads.
 *
 * <pre>{@code
 * BatchWriter<Call, Outcome> writer =
 *     new BatchWriter<>("audit-writer", limits, this::writeAll, Call::size);
 * Outcome outcome = writer.write(call);
 * }</pre>
 *
 * @param <W> the work to write
 * @param <R> the result of writing it
 */
public final class BatchWriter<W, R> implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(BatchWriter.class);

  /** Number of threads: the second one is for when the first takes long. */
  private static final int WRITERS = 2;

  // Time in addition to the server's limit, in which the connection gives up.
  private static final Duration GRACE = Duration.ofSeconds(2);
  // Pause after an unexpected error, so that a writer cannot spin.
  private static final Duration AFTER_FAULT = Duration.ofMillis(50);
  // Maximum time that closing waits for queued work.
  private static final Duration CLOSING = Duration.ofSeconds(10);

  private final Function<List<W>, List<R>> statement;
  private final ToIntFunction<W> size;
  private final BatchQueue<W, R> queue = new BatchQueue<>();
  private final Duration unsent;
  private final Duration sent;
  private final List<Thread> writers;
  private volatile boolean started;

  /**
   * Creates a writer. Its threads start with the first work.
   *
   * @param name the name of its threads
   * @param limits the limits of the database, which determine how long a call waits
   * @param statement writes a batch in one transaction, and returns a result for each element in
   *     their order; if it throws, either nothing was written or the outcome is unknown
   * @param size returns how many rows some work writes and checks
   */
  public BatchWriter(
      String name, Limits limits, Function<List<W>, List<R>> statement, ToIntFunction<W> size) {
    this.statement = statement;
    this.size = size;
    this.unsent = limits.pool();
    this.sent = limits.pool().plus(limits.statement()).plus(GRACE);
    this.writers = Stream.generate(() -> writer(name)).limit(WRITERS).toList();
  }

  /**
   * Creates a thread with the lowest priority, which threads of the HTTP server have, too, and
   * which takes effect with {@code -XX:ThreadPriorityPolicy=1}. With a higher one than theirs, it
   * would write smaller batches while all processors are busy.
   */
  private Thread writer(String name) {
    Thread thread = new Thread(this::writeAll, name);
    thread.setDaemon(true);
    thread.setPriority(Thread.MIN_PRIORITY);
    return thread;
  }

  /**
   * Starts the threads when they are first needed. If the process cannot start threads now, the
   * call fails and a later one tries again.
   */
  private void ensureStarted() {
    if (!started) {
      try {
        startAll();
      } catch (Error noThreads) {
        throw RefusedException.unavailable(null);
      }
    }
  }

  /** Starts the threads that are not running yet. */
  private synchronized void startAll() {
    writers.stream().filter(each -> each.getState() == State.NEW).forEach(Thread::start);
    started = true;
  }

  /**
   * Writes work, and waits until it is durable.
   *
   * @return its result
   * @throws RefusedException as {@link FailureCause#OVERLOADED} if the queue is full; as
   *     unavailable if the work was not written, or its outcome is unknown
   */
  public R write(W work) {
    ensureStarted();
    Pending<W, R> pending = new Pending<>(work, size.applyAsInt(work), true);
    if (!queue.add(pending)) {
      throw new RefusedException(
          FailureCause.OVERLOADED, "Too many requests are waiting to be recorded; try again.");
    }
    return pending.await(unsent, sent);
  }

  /**
   * Queues work to be written soon, without waiting. Returns false if the queue is full or closed.
   */
  public boolean writeSoon(W work) {
    ensureStarted();
    return queue.add(new Pending<>(work, size.applyAsInt(work), false));
  }

  /**
   * Writes batches until the queue is closed. The thread survives every error, since without it all
   * work would be rejected.
   */
  private void writeAll() {
    boolean open = true;
    while (open) {
      try {
        open = writeNext();
      } catch (InterruptedException closing) {
        Thread.currentThread().interrupt();
        open = false;
      } catch (Throwable fault) {
        // Calls whose work was taken fail when their time limit ends.
        LockSupport.parkNanos(AFTER_FAULT.toNanos());
      }
    }
  }

  /** Writes one batch. Returns false after the end of the queue. */
  private boolean writeNext() throws InterruptedException {
    List<Pending<W, R>> batch = queue.take();
    try {
      write(batch);
    } catch (Throwable fault) {
      fail(batch, RefusedException.unavailable(null));
    } finally {
      queue.written();
    }
    return !batch.isEmpty();
  }

  /**
   * Writes a batch, or each of its calls alone if the database rejected the batch for its values.
   */
  private void write(List<Pending<W, R>> batch) {
    if (batch.isEmpty()) {
      return;
    }
    try {
      List<R> results = statement.apply(batch.stream().map(Pending::work).toList());
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

  /** Fails all calls of a batch, and logs how many of them have no caller to report it to. */
  private void fail(List<Pending<W, R>> batch, RuntimeException failure) {
    long unanswered = batch.stream().filter(each -> !each.fail(failure)).count();
    if (unanswered > 0) {
      LOG.warn(
          "{} writes of {} failed for which no caller waits", unanswered, writers.get(0).getName());
    }
  }

  /** Writes the queued work, for at most ten seconds. */
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
