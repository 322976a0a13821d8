package io.tokenvault.ports.store;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyHash;

/**
 * Stores keyed hashes of API keys and proxy keys alike. The package documentation states the laws
 * for every method.
 */
public interface CredentialStore {

  /**
   * Replaces a key's hash by a hash of the identical key under a newer hashing key. Does nothing if
   * {@code from} is not stored.
   */
  void renew(TenantId tenantId, KeyHash from, KeyHash to);
}
