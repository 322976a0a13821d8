package io.tokenvault.adapters.jdbi.stores;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeysetRegistry;

/** What has to be for a restored database to be kept. */
public interface RestoreTerms {

  /** The entry of each tenant's log that says so; committed with what is restored. */
  AuditEntry entry(TenantId tenant);

  /**
   * Called last before the commit.
   *
   * @param registry of the restored database
   * @throws RuntimeException if it is not to be kept; nothing is restored then
   */
  void check(KeysetRegistry registry);
}
