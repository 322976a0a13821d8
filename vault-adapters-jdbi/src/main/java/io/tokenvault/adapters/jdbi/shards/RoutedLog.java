package io.tokenvault.adapters.jdbi.shards;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.spi.AuditLog;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.LogFilter;
import io.tokenvault.ports.spi.LogPosition;
import io.tokenvault.ports.spi.Page;
import io.tokenvault.ports.spi.PageRequest;
import io.tokenvault.ports.spi.Versions;
import java.util.List;
import java.util.Optional;

/** The log, each tenant's in the database of the tenant. */
record RoutedLog(Shards shards) implements AuditLog, AuditRecorder {

  @Override
  public Page<RecordedEntry> list(TenantId tenantId, LogFilter filter, PageRequest request) {
    return shards
        .of(tenantId)
        .ask(ports -> ports.stores().auditLog().list(tenantId, filter, request));
  }

  @Override
  public List<RecordedEntry> walk(
      TenantId tenantId, LogFilter filter, Optional<LogPosition> after, int size) {
    return shards
        .of(tenantId)
        .ask(ports -> ports.stores().auditLog().walk(tenantId, filter, after, size));
  }

  @Override
  public Outcome record(List<AuditEntry> entries, Versions versions) {
    return shards.of(versions.tenantId()).ask(ports -> ports.recorder().record(entries, versions));
  }

  @Override
  public boolean recordSoon(List<AuditEntry> entries) {
    return shards.of(entries.get(0).tenantId()).ask(ports -> ports.recorder().recordSoon(entries));
  }
}
