package io.tokenvault.ports.store;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.WrappedKey;
import java.util.List;
import java.util.Optional;

/**
 * The wrapped keys of tenants. They are all in one table, so that its backups can be kept for a
 * shorter time than others. The package names the laws for every method.
 */
public interface KeyStore {

  /** Empty if there is no such tenant. */
  Optional<TenantKeys> find(TenantId tenantId);

  /** Those of all tenants, shredded ones included, by tenant id. */
  List<TenantKeys> list();

  /**
   * Adds keys to a tenant.
   *
   * @return whether they were; not if there is one with the same purpose and version, or the tenant
   *     is gone or shredded
   */
  boolean add(TenantId tenantId, List<WrappedKey> keys, AuditEntry entry);

  /**
   * Puts the same key, wrapped anew, in place of one.
   *
   * @return whether that was there
   */
  boolean replace(TenantId tenantId, WrappedKey from, WrappedKey to);

  /**
   * Destroys all keys of a tenant, for good: it gets no others.
   *
   * @return whether there was such a tenant with keys
   */
  boolean destroy(TenantId tenantId, AuditEntry entry);
}
