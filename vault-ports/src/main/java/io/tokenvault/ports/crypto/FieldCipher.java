package io.tokenvault.ports.crypto;

import io.tokenvault.domain.secret.SensitiveValue;

/**
 * Authenticated encryption of single fields under the data keys of their tenant. Implementations
 * are thread-safe.
 */
public interface FieldCipher {

  /**
   * Encrypts a value under the current data key. Encryption is randomized: no two calls return
   * equal ciphertexts.
   */
  EncryptedValue encrypt(TenantKeys keys, FieldBinding field, SensitiveValue value);

  /**
   * Decrypts a value that was encrypted for exactly this field.
   *
   * @throws IllegalStateException if the ciphertext was changed or moved, or its key is missing
   */
  SensitiveValue decrypt(TenantKeys keys, FieldBinding field, EncryptedValue encrypted);

  /**
   * Re-encrypts a value under the current data key without exposing the plaintext.
   *
   * @throws IllegalStateException as for {@link #decrypt}
   */
  EncryptedValue reencrypt(TenantKeys keys, FieldBinding field, EncryptedValue encrypted);
}
