package io.tokenvault.ports.crypto;

import io.tokenvault.domain.tenant.TenantId;

/**
 * Makes the keys of tenants and wraps them by a master key that only the implementation knows. All
 * threads may share one instance.
 */
public interface KeyWrapper {

  /** A new key, wrapped under the primary master key and bound to tenant, purpose and version. */
  WrappedKey create(TenantId tenantId, KeyPurpose purpose, int version);

  /**
   * The same key under the primary master key.
   *
   * @throws IllegalStateException if it does not unwrap
   */
  WrappedKey rewrap(TenantId tenantId, WrappedKey key);

  /** The id of the master key that a key is wrapped under. */
  int masterKeyId(WrappedKey key);
}
