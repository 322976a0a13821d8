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
 * Entries of several calls, each on its own condition, in one statement that commits by itself. It
 * sees one moment (READ COMMITTED), so that all versions of a call hold together at that moment, or
 * none of its entries is written; that is enough, since whoever changes something later changes it
 * after the entry.
 */
final class RecordBatch {

  /** The entries of one call, and what has to hold for them. */
  record Call(List<AuditEntry> entries, Preconditions versions) {
    Call {
      entries = List.copyOf(entries);
    }

    /** How many rows it writes and looks at. */
    int size() {
      return entries.size() + versions.size();
    }
  }

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

  RecordBatch(List<Call> calls) {
    calls.forEach(this::add);
  }

  private void add(Call call) {
    int number = wanted.number(call.versions());
    ofCalls.add(number);
    entries.addAll(call.entries());
    conditions.addAll(Collections.nCopies(call.entries().size(), number));
  }

  /** Writes what holds, and gives for each call whether it does, in their order. */
  List<Outcome> write(Handle handle) {
    Query query = EntryRows.bind(handle.createQuery(STATEMENT), entries);
    query.bind("conditions", SqlValues.integers(conditions));
    Set<Integer> stale = new HashSet<>(wanted.bind(query).mapTo(Integer.class).list());
    return ofCalls.stream()
        .map(number -> stale.contains(number) ? Outcome.STALE : Outcome.RECORDED)
        .toList();
  }
}
