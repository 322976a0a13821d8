package io.tokenvault.ports.audit;

import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import java.util.List;
import java.util.Optional;

/** Reads the audit log, newest first. The package names the laws for every method. */
public interface AuditLog {

  Page<RecordedEntry> list(TenantId tenantId, LogFilter filter, PageRequest request);

  /**
   * Entries that are older than a position, as many as there are up to {@code size}. The cost does
   * not grow with the distance from the start; entries that arrive meanwhile do not move the
   * others.
   *
   * @param after empty to start at the newest
   */
  List<RecordedEntry> walk(
      TenantId tenantId, LogFilter filter, Optional<LogPosition> after, int size);
}
