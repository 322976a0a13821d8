package io.tokenvault.adapters.jdbi.stores;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeysetRegistry;

/** Conditions that a restored database must meet before the restore is committed. */
public interface RestoreTerms {

  /**
   * Returns the audit entry that records the restore in a tenant's log. It is committed together
   * with the restored data.
   *
   * @param tenant a tenant of the restored database
   */
  AuditEntry entry(TenantId tenant);

  /**
   * Checks the restored database. Called last, before the commit.
   *
   * @param registry the key registry of the restored database, which sees the uncommitted data
   * @throws RuntimeException if the database must not be used; the restore is then rolled back
   */
  void check(KeysetRegistry registry);

  /**
   * Thrown if a backup cannot be restored into a database. Nothing was restored. The message is for
   * the operator: it gives the reason and contains no stored data.
   */
  final class RefusedRestoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public RefusedRestoreException(String message) {
      super(message);
    }
  }
}
