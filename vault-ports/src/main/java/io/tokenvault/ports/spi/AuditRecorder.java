package io.tokenvault.ports.spi;

import io.tokenvault.domain.audit.AuditEntry;
import java.util.List;

/**
 * The other half of the hot path: makes entries durable, on condition that what was decided on
 * still holds. Implementations may commit the entries of concurrent calls together.
 */
public interface AuditRecorder {

  /** Whether entries were written. */
  enum Outcome {
    /** They are durable: they survive the loss of the process and of the database's. */
    RECORDED,
    /** Something changed or expired meanwhile; nothing was written. Load and decide again. */
    STALE
  }

  /**
   * Writes all entries, in their order, if every version still holds by the store's clock, and none
   * otherwise.
   *
   * @param entries at least one; all of the versions' tenant
   */
  Outcome record(List<AuditEntry> entries, Versions versions);
}
