package io.tokenvault.ports.store;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.WrappedKey;
import java.util.List;
import java.util.Optional;

/**
 * Stores the wrapped keys of tenants. They share one table, so that its backups can have a shorter
 * retention than others. The package documentation states the laws for every method.
 */
public interface KeyStore {

  /** Returns the keys of a tenant; empty if the tenant does not exist. */
  Optional<TenantKeys> find(TenantId tenantId);

  /** Returns the keys of all tenants by tenant id, including shredded tenants. */
  List<TenantKeys> list();

  /**
   * Adds keys to a tenant.
   *
   * @return whether they were added; false if a key with an equal purpose and version exists, or
   *     the tenant is deleted or shredded
   */
  boolean add(TenantId tenantId, List<WrappedKey> keys, AuditEntry entry);

  /**
   * Replaces a wrapped key by the identical key in another wrapping.
   *
   * @return whether {@code from} was stored, and therefore replaced
   */
  boolean replace(TenantId tenantId, WrappedKey from, WrappedKey to);

  /**
   * Permanently destroys all keys of a tenant (crypto-shredding); it can never have others.
   *
   * @return whether the tenant existed and had keys
   */
  boolean destroy(TenantId tenantId, AuditEntry entry);
}
