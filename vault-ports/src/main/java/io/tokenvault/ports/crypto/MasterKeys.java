package io.tokenvault.ports.crypto;

import io.tokenvault.domain.tenant.TenantId;
import java.util.Set;

/**
 * The public facts about the master keyset of this process. Implementations are thread-safe; all
 * methods of an instance describe one state of the keyset.
 */
public interface MasterKeys {

  /** Returns the ids of all keys in the keyset. */
  Set<MasterKeyId> ids();

  /** Returns the key for new values of this use. */
  MasterKeyId primary(MasterKeyId.Use use);

  /** Returns a proof that the keyset holds one of its keys. */
  KeyProof prove(MasterKeyId key);

  /** Returns whether the keyset holds the identical key that produced a proof. */
  boolean confirms(KeyProof proof);

  /** Returns whether the keyset holds the key that a tenant's key is wrapped under. */
  boolean unwraps(TenantId tenantId, WrappedKey key);

  /**
   * Returns the id of the key that a tenant's key is wrapped under, even if the keyset lacks it.
   */
  MasterKeyId wrapping(WrappedKey key);
}
