package io.tokenvault.ports.spi;

import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.domain.tenant.TenantId;

/**
 * Authenticated encryption of single fields under the data keys of their tenant, which are wrapped
 * by a master key that only the implementation knows. All threads may share one instance.
 */
public interface Sealer {

  /** Makes a data key for a tenant; only a tenant with a key can have anything sealed. */
  WrappedKey newKey(TenantId tenantId, int version);

  /** Encrypts under the current key; two calls never give the same ciphertext. */
  Sealed seal(TenantKeys keys, SealedField field, SensitiveValue value);

  /**
   * Decrypts what was sealed for exactly this field.
   *
   * @throws IllegalStateException if the ciphertext was changed or moved, or its key is missing
   */
  SensitiveValue open(TenantKeys keys, SealedField field, Sealed sealed);
}
