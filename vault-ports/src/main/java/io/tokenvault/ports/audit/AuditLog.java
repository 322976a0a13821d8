package io.tokenvault.ports.audit;

import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import java.util.List;
import java.util.Optional;

/**
 * Reads the audit log, newest entries first. The package documentation states the laws for every
 * method.
 */
public interface AuditLog {

  /** Returns a page of a tenant's entries, newest first. */
  Page<RecordedEntry> list(TenantId tenantId, LogFilter filter, PageRequest request);

  /**
   * Returns up to {@code size} entries that are older than a position. The cost does not grow with
   * the distance from the start; entries that are added meanwhile do not shift the others.
   *
   * @param after an exclusive bound; empty to start at the newest entry
   */
  List<RecordedEntry> walk(
      TenantId tenantId, LogFilter filter, Optional<LogPosition> after, int size);
}
