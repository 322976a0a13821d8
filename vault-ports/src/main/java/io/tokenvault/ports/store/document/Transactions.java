package io.tokenvault.ports.store.document;

import io.tokenvault.domain.audit.AuditEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Runs the work of stores in transactions; within a unit of work, in its transaction. */
final class Transactions {

  private final Storage storage;
  private final RecordJson json;
  private final ThreadLocal<Unit> current = new ThreadLocal<>();

  Transactions(Storage storage, RecordJson json) {
    this.storage = storage;
    this.json = json;
  }

  /**
   * The transaction of this thread.
   *
   * @param lasting entries that stay if the transaction is rolled back
   */
  private record Unit(RecordChanges records, List<AuditEntry> lasting) {}

  <T> T read(Function<Records, T> work) {
    Unit unit = current.get();
    return unit == null
        ? storage.read(snapshot -> work.apply(new Records(snapshot, json)))
        : work.apply(unit.records());
  }

  <T> T write(Function<RecordChanges, T> work) {
    Unit unit = current.get();
    return unit == null
        ? storage.write(transaction -> work.apply(new RecordChanges(transaction, json)))
        : work.apply(unit.records());
  }

  /** Runs work in one transaction that all stores called by it, in this thread, share. */
  <T> T unit(Function<RecordChanges, T> work) {
    List<AuditEntry> lasting = new ArrayList<>();
    try {
      return write(records -> entered(new Unit(records, lasting), work));
    } catch (RuntimeException | Error failed) {
      if (!lasting.isEmpty()) {
        appendAlone(lasting);
      }
      throw failed;
    }
  }

  private <T> T entered(Unit unit, Function<RecordChanges, T> work) {
    current.set(unit);
    try {
      return work.apply(unit.records());
    } finally {
      current.remove();
    }
  }

  /** Appends entries that are in the log even if the unit of work around them fails. */
  void appendDurably(RecordChanges records, List<AuditEntry> entries) {
    records.append(entries);
    Unit unit = current.get();
    if (unit != null) {
      unit.lasting().addAll(entries);
    }
  }

  private void appendAlone(List<AuditEntry> entries) {
    storage.write(
        transaction -> {
          transaction.append(entries);
          return entries.size();
        });
  }
}
