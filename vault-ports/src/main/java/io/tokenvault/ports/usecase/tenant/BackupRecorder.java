package io.tokenvault.ports.usecase.tenant;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.tenant.Tenant;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.store.TenantStore;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import java.util.HashSet;
import java.util.Set;

/**
 * Records in the log of every tenant that its data was copied to a backup, once for each tenant.
 */
public final class BackupRecorder {

  private final TenantStore tenants;
  private final AuditTrail trail;
  private final Set<TenantId> recorded = new HashSet<>();

  /**
   * Creates a recorder for one backup.
   *
   * @param tenants the tenants of the database that is copied
   */
  public BackupRecorder(TenantStore tenants, AuditRecorder recorder) {
    this.tenants = tenants;
    this.trail = new AuditTrail(recorder);
  }

  /**
   * Records the backup for tenants without an entry so far and returns when the entries are
   * durable. Call it before copying, and again after copying and before the copy is handed over,
   * since tenants can have been created in between.
   */
  public void record() {
    tenants.list().stream()
        .map(Tenant::id)
        .filter(recorded::add)
        .forEach(id -> trail.record(AuditTrail.systemEntry(id, Operation.READ, "Backup created")));
  }

  /** Returns the entry about a restored backup. */
  public static AuditEntry restored(TenantId tenant) {
    return AuditTrail.systemEntry(tenant, Operation.CREATE, "Backup restored");
  }
}
