package io.tokenvault.ports.crypto;

import io.tokenvault.domain.tenant.TenantId;

/**
 * Generates the keys of tenants and wraps them by a master key that only the implementation knows.
 * Implementations are thread-safe.
 */
public interface KeyWrapper {

  /**
   * Generates a key that is wrapped under the primary master key and bound to tenant, purpose and
   * version.
   */
  WrappedKey create(TenantId tenantId, KeyPurpose purpose, int version);

  /**
   * Wraps the identical key under the primary master key.
   *
   * @throws IllegalStateException if the key cannot be unwrapped
   */
  WrappedKey rewrap(TenantId tenantId, WrappedKey key);

  /** Returns the id of the master key that a key is wrapped under. */
  int masterKeyId(WrappedKey key);
}
