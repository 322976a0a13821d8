package io.tokenvault.ports.crypto;

import io.tokenvault.domain.tenant.TenantId;
import java.util.Set;

/**
 * What may be known of the master keyset that this process works with. All threads may share one
 * instance; what it tells is of one state of the keyset.
 */
public interface MasterKeys {

  /** All keys that it holds. */
  Set<MasterKeyId> ids();

  /** The key that is used for what is new. */
  MasterKeyId primary(MasterKeyId.Use use);

  /** A proof of one of its keys. */
  KeyProof prove(MasterKeyId key);

  /** Whether it holds the very key that made a proof. */
  boolean confirms(KeyProof proof);

  /** Whether it holds the key that a tenant's key is wrapped under. */
  boolean unwraps(TenantId tenantId, WrappedKey key);

  /** The id of the key that a tenant's key is wrapped under, whether it holds that or not. */
  MasterKeyId wrapping(WrappedKey key);
}
