package io.tokenvault.ports.usecase.tenant;

import io.tokenvault.domain.audit.EntityType;
import io.tokenvault.domain.audit.Operation;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.tenant.Tenant;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.store.TenantStore;
import io.tokenvault.ports.usecase.authorization.AuditTrail;
import io.tokenvault.ports.usecase.authorization.Caller;
import io.tokenvault.ports.usecase.authorization.Requirement;

/** Shows callers their own tenant. Any valid API key is enough; each read is recorded. */
public final class ReadTenant {

  public static final Requirement READ = Requirement.VALID_KEY;

  private final TenantStore tenants;
  private final AuditTrail trail;

  public ReadTenant(TenantStore tenants, AuditRecorder recorder) {
    this.tenants = tenants;
    this.trail = new AuditTrail(recorder);
  }

  /**
   * Returns the tenant of the caller.
   *
   * @throws RefusedException if it has been deleted
   */
  public Tenant read(Caller caller) {
    trail.require(caller, READ);
    Tenant tenant = tenants.find(caller.tenantId()).orElseThrow(RefusedException::notFound);
    trail.record(
        AuditTrail.entry(
            caller, EntityType.TENANT, tenant.id(), Operation.READ, "Tenant retrieved"));
    return tenant;
  }
}
