package io.tokenvault.ports.usecase.audit;

import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.audit.integrity.LogEncoding;
import io.tokenvault.domain.audit.integrity.PartitionDrop;
import io.tokenvault.ports.audit.LogMonths;
import io.tokenvault.ports.audit.LogMonths.RefusedDropException;
import io.tokenvault.ports.audit.LogMonths.State;
import io.tokenvault.ports.crypto.LogKeys;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import java.time.Instant;
import java.time.YearMonth;
import java.util.List;

/**
 * Drops old months of the audit log, one at a time, and records it in the log of each tenant. The
 * chain links of a dropped month stay, so that the rest of the log can still be verified.
 */
public final class DropLogPartitions {

  private final LogMonths months;
  private final LogKeys keys;

  public DropLogPartitions(LogMonths months, LogKeys keys) {
    this.months = months;
    this.keys = keys;
  }

  /**
   * Returns the states of all months before a month, oldest first.
   *
   * @throws RefusedDropException if the last of them is not over yet
   */
  public List<State> before(YearMonth limit) {
    if (limit.isAfter(months.current())) {
      throw new RefusedDropException(limit.minusMonths(1), "is not over, and is kept.");
    }
    return months.months().stream()
        .filter(month -> month.isBefore(limit))
        .map(months::state)
        .toList();
  }

  /**
   * Drops a month.
   *
   * @return the number of dropped entries
   * @throws RefusedDropException if the month must be retained
   */
  public long drop(YearMonth month) {
    return months.drop(
        month,
        this::record,
        tenant -> AuditTrail.logEntry(tenant, Operation.DELETE, "Log of " + month + " dropped"));
  }

  private PartitionDrop record(YearMonth month, long entries, Instant droppedAt) {
    byte[] content = LogEncoding.drop(month, entries, droppedAt);
    return new PartitionDrop(
        month, entries, droppedAt, keys.authenticate(LogKeys.Use.DROP, content));
  }
}
