package io.tokenvault.ports.audit;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.integrity.PartitionDrop;
import io.tokenvault.domain.tenant.TenantId;
import java.time.Instant;
import java.time.YearMonth;
import java.util.List;
import java.util.function.Function;

/** The months of the log (UTC), of all tenants. The package names the laws for every method. */
public interface LogMonths {

  /** The month that it is by the store's clock. */
  YearMonth current();

  /** The months that can be dropped one by one, oldest first. */
  List<YearMonth> months();

  /** Looks at a month without changing it; its entries are counted. */
  State state(YearMonth month);

  /**
   * Drops a month with all its entries, and stores that it was dropped and an entry for each tenant
   * that had one in it: all of it or nothing. Who writes to the log waits for a moment at the most.
   *
   * @return how many entries were dropped
   * @throws RefusedDropException if the month is not a past one that is there, or not ready
   */
  long drop(YearMonth month, Drop drop, Function<TenantId, AuditEntry> entry);

  /** Makes the record of a drop. */
  interface Drop {
    PartitionDrop of(YearMonth month, long entries, Instant droppedAt);
  }

  /**
   * How a month stands.
   *
   * @param sealed whether there is exactly what its seals name
   * @param streamed whether all of it was handed on by every stream that there ever was
   */
  record State(YearMonth month, long entries, boolean sealed, boolean streamed) {}

  /** A month stays. */
  final class RefusedDropException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public RefusedDropException(YearMonth month, String why) {
      super(month + " " + why);
    }
  }
}
