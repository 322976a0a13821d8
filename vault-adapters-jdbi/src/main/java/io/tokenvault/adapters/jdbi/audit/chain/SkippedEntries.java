package io.tokenvault.adapters.jdbi.audit.chain;

import io.tokenvault.domain.audit.integrity.StoredEntry;
import io.tokenvault.domain.tenant.TenantId;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs entries that cannot be added to a hash chain, one for each tenant. An instance is safe for
 * use by many threads and lives as long as the stores, so that a tenant is not reported twice.
 */
public final class SkippedEntries {

  private static final Logger LOG = LoggerFactory.getLogger(SkippedEntries.class);

  private final Set<TenantId> told = ConcurrentHashMap.newKeySet();

  /** Logs the first entry of each tenant that was not reported before. */
  void tell(List<StoredEntry> entries) {
    for (StoredEntry entry : entries) {
      if (told.add(entry.tenantId())) {
        LOG.warn(
            "An entry of tenant {} cannot be sealed, and is passed over: sequence {}."
                + " 'audit verify' tells of all of them",
            entry.tenantId(),
            entry.place().sequence());
      }
    }
  }
}
