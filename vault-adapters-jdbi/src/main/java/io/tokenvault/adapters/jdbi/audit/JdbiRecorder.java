package io.tokenvault.adapters.jdbi.audit;

import io.tokenvault.adapters.jdbi.batch.BatchWriter;
import io.tokenvault.adapters.jdbi.sql.Conditions;
import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.EntryMarks;
import io.tokenvault.adapters.jdbi.sql.EntryRows;
import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.adapters.jdbi.stores.DatabaseActivity.Written;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Limits;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.audit.AuditRecorder.Outcome;
import io.tokenvault.ports.store.Preconditions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * Records audit entries. Entries of concurrent calls share a statement and a commit; see {@link
 * BatchWriter}.
 *
 * <p>{@link #record} returns once the entries are durable, and only if the preconditions of the
 * decision that they record still hold. {@link #recordSoon} only queues them; they are lost if the
 * process ends before they are written. An instance is safe for use by many threads.
 */
public final class JdbiRecorder implements AuditRecorder, AutoCloseable {

  /**
   * Returns the stale preconditions, and inserts the entries of all others. Both parts use one
   * snapshot.
   */
  private static final String STATEMENT =
      "WITH stale AS MATERIALIZED (\n"
          + Conditions.STALE
          + "), written AS (\n"
          + EntryRows.INSERT
          + """
          WHERE (:conditions::integer[])[place::integer] NOT IN (SELECT condition FROM stale)
          """
          + EntryRows.IN_ORDER
          + "\n)\nSELECT condition FROM stale";

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

  /**
   * Writes a batch in one statement, which commits on its own, and counts it. Equal preconditions
   * are checked once.
   *
   * <p>The statement runs on one snapshot (READ COMMITTED), so either all preconditions of a call
   * hold at that time, or none of its entries is written. That is sufficient, since a later change
   * of a record is also later than the entry.
   *
   * @return an outcome for each call, in their order
   */
  private List<Outcome> write(List<Call> batch) {
    Conditions wanted = new Conditions();
    List<AuditEntry> all = new ArrayList<>();
    List<Integer> ofCalls = new ArrayList<>();
    List<Integer> ofEntries = new ArrayList<>();
    for (Call call : batch) {
      Integer number = wanted.number(call.versions());
      ofCalls.add(number);
      for (AuditEntry entry : call.entries()) {
        all.add(entry);
        ofEntries.add(number);
      }
    }
    Set<Integer> stale = database.run(handle -> write(handle, all, ofEntries, wanted));
    batches.increment();
    calls.add(batch.size());
    entries.add(all.size());
    List<Outcome> outcomes = new ArrayList<>(ofCalls.size());
    for (Integer number : ofCalls) {
      outcomes.add(stale.contains(number) ? Outcome.STALE : Outcome.RECORDED);
    }
    return outcomes;
  }

  /** Writes the entries whose preconditions hold. Returns the numbers of the stale ones. */
  private static Set<Integer> write(
      Handle handle, List<AuditEntry> entries, List<Integer> conditions, Conditions wanted) {
    Query query = EntryRows.bind(handle.createQuery(STATEMENT), entries);
    query.bind("conditions", SqlValues.integers(conditions));
    return wanted.bind(query).map((row, context) -> row.getInt(1)).set();
  }

  /** Writes the queued entries, for at most ten seconds. */
  @Override
  public void close() {
    writer.close();
  }

  /** The entries of one call, and the preconditions for writing them. */
  private record Call(List<AuditEntry> entries, Preconditions versions) {
    Call {
      entries = List.copyOf(entries);
    }

    /** Returns the number of rows that the call writes and checks. */
    int size() {
      return entries.size() + versions.size();
    }
  }
}
