package io.tokenvault.adapters.jdbi.audit;

import io.tokenvault.adapters.jdbi.audit.RecordBatch.Call;
import io.tokenvault.adapters.jdbi.batch.BatchWriter;
import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.EntryMarks;
import io.tokenvault.adapters.jdbi.stores.DatabaseActivity.Written;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Limits;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.store.Preconditions;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Records audit entries. Entries of concurrent calls share a statement and a commit; see {@link
 * BatchWriter}.
 *
 * <p>{@link #record} returns once the entries are durable, and only if the preconditions of the
 * decision that they record still hold. {@link #recordSoon} only queues them; they are lost if the
 * process ends before they are written. An instance is safe for use by many threads.
 */
public final class JdbiRecorder implements AuditRecorder, AutoCloseable {

  private final Database database;
  private final LongAdder batches = new LongAdder();
  private final LongAdder calls = new LongAdder();
  private final LongAdder entries = new LongAdder();
  private final BatchWriter<Call, Outcome> writer;

  /**
   * Creates a recorder, whose threads start with the first entry.
   *
   * @param database a database whose entries get MACs
   * @param limits the limits that determine how long a call waits
   */
  public JdbiRecorder(Database database, Limits limits) {
    this.database = database;
    this.writer = new BatchWriter<>("audit-writer", limits, this::write, Call::size);
  }

  /** Returns the totals since this recorder was created. */
  public Written written() {
    return new Written(
        batches.sum(),
        calls.sum(),
        entries.sum(),
        database.marks().map(EntryMarks::unwritten).orElse(0L));
  }

  @Override
  public Outcome record(List<AuditEntry> entries, Preconditions versions) {
    return writer.write(new Call(entries, versions));
  }

  @Override
  public boolean recordSoon(List<AuditEntry> entries) {
    return writer.writeSoon(new Call(entries, Preconditions.none(entries.get(0).tenantId())));
  }

  /** Writes a batch, then counts it. */
  private List<Outcome> write(List<Call> batch) {
    List<Outcome> outcomes = database.run(new RecordBatch(batch)::write);
    batches.increment();
    calls.add(batch.size());
    batch.forEach(each -> entries.add(each.entries().size()));
    return outcomes;
  }

  /** Writes the queued entries, for at most ten seconds. */
  @Override
  public void close() {
    writer.close();
  }
}
