package io.tokenvault.ports.store;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.domain.tenant.Tenant;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.store.model.NewApplication;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Stores tenants and their egress policies. The package documentation states the laws for every
 * method.
 */
public interface TenantStore {

  /** Stores a tenant together with its keys and its management application. */
  Tenant create(NewTenant tenant, List<AuditEntry> entries);

  /**
   * Stores a tenant if there is no tenant at all; of several concurrent calls, one succeeds.
   *
   * @return whether the tenant was stored
   */
  boolean createFirst(NewTenant tenant, List<AuditEntry> entries);

  /** Returns a tenant; empty if it does not exist. */
  Optional<Tenant> find(TenantId tenantId);

  /** Returns all tenants, oldest first. */
  List<Tenant> list();

  /** Returns the egress policy of a tenant; empty if the tenant does not exist. */
  Optional<TenantEgress> egress(TenantId tenantId);

  /**
   * Changes the egress policy of a tenant. Changes of one tenant are serialized, so that none is
   * lost.
   *
   * @param change maps the stored policy to the new one; the store assigns the next version. A
   *     result that equals its input is not stored, and no entry is recorded. Its exceptions are
   *     propagated, and nothing is changed
   * @param entry recorded together with a change
   * @return the stored policy; empty if the tenant does not exist
   */
  Optional<TenantEgress> changeEgress(
      TenantId tenantId, UnaryOperator<TenantEgress> change, AuditEntry entry);

  /**
   * Deletes a tenant with everything that it owns except its audit log.
   *
   * @return whether the tenant existed
   */
  boolean delete(TenantId tenantId, AuditEntry entry);

  /**
   * A tenant to store, with its keys and its first application.
   *
   * @param management the application that manages the others
   */
  record NewTenant(TenantId id, ResourceName name, TenantKeys keys, NewApplication management) {}
}
