package io.tokenvault.adapters.jdbi;

import io.tokenvault.adapters.jdbi.DatabaseSettings.Limits;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.Versions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the entries of concurrent calls together: a few threads each take all that waits and send
 * it as one {@link RecordBatch}, with one commit. A call joins only a batch that was not sent yet.
 * A batch that the database refused because of what is in it is sent again call by call; of one
 * whose outcome nobody knows, all calls fail.
 */
final class JdbiRecorder implements AuditRecorder, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(JdbiRecorder.class);

  /** While one waits for its commit, another collects. */
  private static final int WRITERS = 2;

  // Beyond the limit in the server, for the connection to give up.
  private static final Duration GRACE = Duration.ofSeconds(2);
  private static final Duration CLOSING = Duration.ofSeconds(10);

  private final Database database;
  private final RecordQueue queue = new RecordQueue();
  private final Duration unsent;
  private final Duration sent;
  private final List<Thread> writers;
  private final AtomicBoolean started = new AtomicBoolean();

  JdbiRecorder(Database database, Limits limits) {
    this.database = database;
    this.unsent = limits.pool();
    this.sent = limits.pool().plus(limits.statement()).plus(GRACE);
    this.writers = Stream.generate(this::writer).limit(WRITERS).toList();
  }

  /** What records nothing needs no threads. */
  private void ensureStarted() {
    if (started.compareAndSet(false, true)) {
      writers.forEach(Thread::start);
    }
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

  private void write() {
    try {
      List<PendingRecord> batch = queue.take();
      while (!batch.isEmpty()) {
        write(batch);
        batch = queue.take();
      }
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(List<PendingRecord> batch) {
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
    } catch (Error fault) {
      fail(batch, new IllegalStateException(fault.getClass().getSimpleName()));
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
