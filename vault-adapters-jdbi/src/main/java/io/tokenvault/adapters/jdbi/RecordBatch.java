package io.tokenvault.adapters.jdbi;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.ports.spi.Versions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

  private static final String STATEMENT =
      "WITH stale AS MATERIALIZED (\n"
          + Conditions.STALE
          + "), written AS (\n"
          + Entries.INSERT
          + """
          WHERE (:conditions::integer[])[place::integer] NOT IN (SELECT condition FROM stale)
          """
          + Entries.IN_ORDER
          + "\n)\nSELECT condition FROM stale";

  private final List<AuditEntry> entries = new ArrayList<>();
  private final List<Integer> conditions = new ArrayList<>();
  private final Map<Versions, Integer> numbers = new LinkedHashMap<>();
  private final List<Integer> ofRecords = new ArrayList<>();
  private final Conditions wanted = new Conditions();

  RecordBatch(List<PendingRecord> records) {
    records.forEach(this::add);
    numbers.forEach(wanted::add);
  }

  /** Calls that decided on the same share a condition. */
  private void add(PendingRecord pending) {
    int number = numbers.computeIfAbsent(pending.versions(), unused -> numbers.size());
    ofRecords.add(number);
    entries.addAll(pending.entries());
    conditions.addAll(Collections.nCopies(pending.entries().size(), number));
  }

  /** Writes what holds, and gives for each record whether it does, in their order. */
  List<Boolean> write(Handle handle) {
    Query query = Entries.bind(handle.createQuery(STATEMENT), entries);
    query.bind("conditions", SqlValues.integers(conditions));
    Set<Integer> stale = new HashSet<>(wanted.bind(query).mapTo(Integer.class).list());
    return ofRecords.stream().map(number -> !stale.contains(number)).toList();
  }
}
