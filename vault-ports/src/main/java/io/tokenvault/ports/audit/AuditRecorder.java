package io.tokenvault.ports.audit;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.ports.store.Preconditions;
import java.util.List;

/**
 * Makes audit entries durable on condition that the preconditions of a decision still hold.
 * Implementations may commit the entries of concurrent calls together.
 */
public interface AuditRecorder {

  /** The outcome of a conditional write. */
  enum Outcome {
    /**
     * The entries are durable: they survive a crash of this process and of the database process.
     */
    RECORDED,
    /** A precondition no longer holds; nothing was written. Load the records and decide again. */
    STALE
  }

  /**
   * Writes all entries in their order if every precondition holds by the store's clock, and none
   * otherwise.
   *
   * @param entries at least one, all of the preconditions' tenant
   */
  Outcome record(List<AuditEntry> entries, Preconditions versions);

  /**
   * Writes entries soon on a best-effort basis. It is only for entries on which nothing depends,
   * because the event that they describe has happened and was recorded before.
   *
   * @param entries at least one, all of one tenant
   * @return false if too many entries are queued already
   */
  default boolean recordSoon(List<AuditEntry> entries) {
    return record(entries, Preconditions.none(entries.get(0).tenantId())) == Outcome.RECORDED;
  }
}
