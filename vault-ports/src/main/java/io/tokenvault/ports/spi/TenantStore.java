package io.tokenvault.ports.spi;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.tenant.Tenant;
import io.tokenvault.domain.tenant.TenantId;
import java.util.List;

/** Tenants. The package names the laws for every method. */
public interface TenantStore {

  /** Stores a tenant with its data key and management application, at once. */
  Tenant create(NewTenant tenant, List<AuditEntry> entries);

  /**
   * Does the same if there is no tenant at all; of several that try at once, one succeeds.
   *
   * @return whether it was stored
   */
  boolean createFirst(NewTenant tenant, List<AuditEntry> entries);

  /** Oldest first. */
  List<Tenant> list();

  /**
   * Deletes a tenant with everything that it owns but its log.
   *
   * @return whether there was such a tenant
   */
  boolean delete(TenantId tenantId, AuditEntry entry);
}
