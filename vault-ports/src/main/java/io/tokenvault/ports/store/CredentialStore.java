package io.tokenvault.ports.store;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyHash;

/** Hashes of keys, whatever they let in. The package names the laws for every method. */
public interface CredentialStore {

  /** Puts a hash of the same key, under a newer hashing key, in place of one; if that is there. */
  void renew(TenantId tenantId, KeyHash from, KeyHash to);
}
