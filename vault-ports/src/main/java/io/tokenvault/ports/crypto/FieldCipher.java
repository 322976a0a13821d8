package io.tokenvault.ports.crypto;

import io.tokenvault.domain.secret.SensitiveValue;

/**
 * Authenticated encryption of single fields under the data keys of their tenant. All threads may
 * share one instance.
 */
public interface FieldCipher {

  /** Encrypts under the current data key; two calls never give the same ciphertext. */
  EncryptedValue seal(TenantKeys keys, FieldBinding field, SensitiveValue value);

  /**
   * Decrypts what was sealed for exactly this field.
   *
   * @throws IllegalStateException if the ciphertext was changed or moved, or its key is missing
   */
  SensitiveValue open(TenantKeys keys, FieldBinding field, EncryptedValue sealed);

  /**
   * The same value under the current data key; nobody gets to see it.
   *
   * @throws IllegalStateException as {@link #open}
   */
  EncryptedValue reseal(TenantKeys keys, FieldBinding field, EncryptedValue sealed);
}
