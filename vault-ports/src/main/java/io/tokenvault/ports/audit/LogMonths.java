package io.tokenvault.ports.audit;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.integrity.PartitionDrop;
import io.tokenvault.domain.tenant.TenantId;
import java.time.Instant;
import java.time.YearMonth;
import java.util.List;
import java.util.function.Function;

/**
 * Manages the monthly partitions (UTC) of the audit log, which hold the entries of all tenants. The
 * package documentation states the laws for every method.
 */
public interface LogMonths {

  /** Returns the current month by the store's clock. */
  YearMonth current();

  /** Returns the months that can be dropped one by one, oldest first. */
  List<YearMonth> months();

  /** Returns the state of a month without changing it; its entries are counted. */
  State state(YearMonth month);

  /**
   * Drops a month with all its entries, and stores a record of the drop and an audit entry for each
   * tenant with entries in it: all of it or nothing. Writers to the log wait only briefly.
   *
   * @param drop creates the record of the drop
   * @param entry returns the audit entry for a tenant
   * @return the number of dropped entries
   * @throws RefusedDropException if the month is not a past one that exists, or is not ready
   */
  long drop(YearMonth month, Drop drop, Function<TenantId, AuditEntry> entry);

  /** Creates the record of a drop. */
  interface Drop {
    PartitionDrop of(YearMonth month, long entries, Instant droppedAt);
  }

  /**
   * The state of a month.
   *
   * @param entries the number of its entries
   * @param chained whether the entries are exactly those in its chain links
   * @param streamed whether every stream that ever existed has sent all of its entries
   */
  record State(YearMonth month, long entries, boolean chained, boolean streamed) {}

  /** Reports that a month cannot be dropped. */
  final class RefusedDropException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public RefusedDropException(YearMonth month, String why) {
      super(month + " " + why);
    }
  }
}
