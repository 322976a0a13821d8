package io.tokenvault.ports.audit;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.ports.store.Preconditions;
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
  Outcome record(List<AuditEntry> entries, Preconditions versions);

  /**
   * Writes entries soon, best effort: only where nothing depends on it that they are there, because
   * what they speak of has happened and was recorded before.
   *
   * @param entries at least one; all of one tenant
   * @return false if too many wait already
   */
  default boolean recordSoon(List<AuditEntry> entries) {
    return record(entries, Preconditions.none(entries.get(0).tenantId())) == Outcome.RECORDED;
  }
}
