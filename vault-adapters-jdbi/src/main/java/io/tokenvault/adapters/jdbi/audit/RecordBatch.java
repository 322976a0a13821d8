package io.tokenvault.adapters.jdbi.audit;

import io.tokenvault.adapters.jdbi.sql.Conditions;
import io.tokenvault.adapters.jdbi.sql.EntryRows;
import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.ports.audit.AuditRecorder.Outcome;
import io.tokenvault.ports.store.Preconditions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * Writes the entries of several calls in one statement, each call under its own preconditions. The
 * statement commits on its own.
 *
 * <p>The statement runs on one snapshot (READ COMMITTED), so either all preconditions of a call
 * hold at that time, or none of its entries is written. That is sufficient, since a later change of
 * a record is also later than the entry.
 */
final class RecordBatch {

  /** The entries of one call, and the preconditions for writing them. */
  record Call(List<AuditEntry> entries, Preconditions versions) {
    Call {
      entries = List.copyOf(entries);
    }

    /** Returns the number of rows that the call writes and checks. */
    int size() {
      return entries.size() + versions.size();
    }
  }

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

  private final List<AuditEntry> entries = new ArrayList<>();
  private final List<Integer> conditions = new ArrayList<>();
  private final Conditions wanted = new Conditions();
  private final List<Integer> ofCalls = new ArrayList<>();

  /** Creates a batch, in which equal preconditions are checked once. */
  RecordBatch(List<Call> calls) {
    calls.forEach(this::add);
  }

  /** Adds a call. All of its entries get the number of its preconditions. */
  private void add(Call call) {
    int number = wanted.number(call.versions());
    ofCalls.add(number);
    entries.addAll(call.entries());
    conditions.addAll(Collections.nCopies(call.entries().size(), number));
  }

  /**
   * Writes the entries whose preconditions hold. Returns an outcome for each call, in their order.
   */
  List<Outcome> write(Handle handle) {
    Query query = EntryRows.bind(handle.createQuery(STATEMENT), entries);
    query.bind("conditions", SqlValues.integers(conditions));
    Set<Integer> stale = new HashSet<>(wanted.bind(query).mapTo(Integer.class).list());
    return ofCalls.stream()
        .map(number -> stale.contains(number) ? Outcome.STALE : Outcome.RECORDED)
        .toList();
  }
}
