package io.tokenvault.ports.usecase.tenant;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.store.TenantStore;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Records in the log of every tenant that what it has was copied, once for each tenant. */
public final class BackupRecorder {

  private final TenantStore tenants;
  private final AuditTrail trail;
  private final Set<TenantId> recorded = new HashSet<>();

  /**
   * @param tenants those of the database that is copied
   */
  public BackupRecorder(TenantStore tenants, AuditRecorder recorder) {
    this.tenants = tenants;
    this.trail = new AuditTrail(recorder);
  }

  /**
   * To be called before the copying, and after it and before the copy is given to anybody, since
   * tenants can have come meanwhile. Returns when the entries are durable.
   */
  public void record() {
    tenants.list().stream()
        .map(tenant -> tenant.id())
        .filter(recorded::add)
        .forEach(id -> trail.record(List.of(entry(id, Operation.READ, "Backup made"))));
  }

  /** What is recorded where a backup was restored. */
  public static AuditEntry restored(TenantId tenant) {
    return entry(tenant, Operation.CREATE, "Backup restored");
  }

  private static AuditEntry entry(TenantId tenant, Operation operation, String message) {
    return AuditTrail.systemEntry(tenant, EntityType.TENANT, tenant, operation, message);
  }
}
