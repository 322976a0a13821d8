package io.tokenvault.ports.store;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.tenant.Tenant;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.store.model.NewTenant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

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

  /** Where the operator lets the tenant's tokens go; empty if there is no such tenant. */
  Optional<TenantEgress> egress(TenantId tenantId);

  /**
   * Changes where the operator lets the tenant's tokens go. Changes of one tenant take place one
   * after the other, so that none is lost.
   *
   * @param change of what is stored now; the store gives the result its next version. What equals
   *     its input is not stored, and no entry is written. What it throws is passed on, and nothing
   *     is changed
   * @return what is stored now; empty if there is no such tenant
   */
  Optional<TenantEgress> changeEgress(
      TenantId tenantId, UnaryOperator<TenantEgress> change, AuditEntry entry);

  /**
   * Deletes a tenant with everything that it owns but its log.
   *
   * @return whether there was such a tenant
   */
  boolean delete(TenantId tenantId, AuditEntry entry);
}
