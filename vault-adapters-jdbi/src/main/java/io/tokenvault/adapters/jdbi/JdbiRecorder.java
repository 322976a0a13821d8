package io.tokenvault.adapters.jdbi;

import io.tokenvault.adapters.jdbi.DatabaseSettings.Limits;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.Versions;
import java.lang.Thread.State;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the entries of concurrent calls together: a thread takes all that waits and sends it as
 * one {@link RecordBatch}, with one commit. A call joins only a batch that was not sent yet. A
 * batch that the database refused because of what is in it is sent again call by call; of one whose
 * outcome nobody knows, all calls fail.
 */
final class JdbiRecorder implements AuditRecorder, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(JdbiRecorder.class);

  /** One writes; the other is for when that takes long. */
  private static final int WRITERS = 2;

  // Beyond the limit in the server, for the connection to give up.
  private static final Duration GRACE = Duration.ofSeconds(2);
  private static final Duration AFTER_FAULT = Duration.ofMillis(50);
  private static final Duration CLOSING = Duration.ofSeconds(10);

  private final Database database;
  private final RecordQueue queue = new RecordQueue();
  private final Duration unsent;
  private final Duration sent;
  private final List<Thread> writers;
  private volatile boolean started;

  JdbiRecorder(Database database, Limits limits) {
    this.database = database;
    this.unsent = limits.pool();
    this.sent = limits.pool().plus(limits.statement()).plus(GRACE);
    this.writers = Stream.generate(this::writer).limit(WRITERS).toList();
  }

  /** What records nothing needs no threads. Those that cannot start now may start for the next. */
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

  private Thread writer() {
    Thread thread = new Thread(this::write, "audit-writer");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public Outcome record(List<AuditEntry> entries, Versions versions) {
    ensureStarted();
    PendingRecord pending = new PendingRecord(entries, versions, true);
    if (!queue.add(pending)) {
      throw new RefusedException(
          FailureCause.OVERLOADED, "Too many requests wait for the audit log; try again.");
    }
    return pending.await(unsent, sent);
  }

  @Override
  public boolean recordSoon(List<AuditEntry> entries) {
    ensureStarted();
    Versions unconditional = Versions.none(entries.get(0).tenantId());
    return queue.addPatient(new PendingRecord(entries, unconditional, false));
  }

  /** Whatever happens, a writer goes on: without writers all that is recorded is refused. */
  private void write() {
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
    List<PendingRecord> batch = queue.take();
    try {
      write(batch);
    } catch (Throwable fault) {
      fail(batch, RefusedException.unavailable(null));
    } finally {
      queue.written();
    }
    return !batch.isEmpty();
  }

  private void write(List<PendingRecord> batch) {
    if (batch.isEmpty()) {
      return;
    }
    try {
      List<Boolean> written = database.run(new RecordBatch(batch)::write);
      IntStream.range(0, batch.size())
          .forEach(i -> batch.get(i).succeed(written.get(i) ? Outcome.RECORDED : Outcome.STALE));
    } catch (RuntimeException failure) {
      if (batch.size() > 1 && Failures.isDefinite(failure)) {
        batch.forEach(each -> write(List.of(each)));
      } else {
        fail(batch, failure);
      }
    }
  }

  private static void fail(List<PendingRecord> batch, RuntimeException failure) {
    long unheard = batch.stream().filter(each -> !each.fail(failure)).count();
    if (unheard > 0) {
      LOG.warn("{} entries that nobody waited for were not recorded", unheard);
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
