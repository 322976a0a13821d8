package io.tokenvault.ports.crypto;

import java.util.Arrays;

/**
 * An encrypted value and the version of the tenant's data key that it is encrypted under.
 *
 * <p>It decrypts only for the tenant, record and field that it was encrypted for. Instances are
 * immutable: arrays are copied on the way in and out.
 */
public record EncryptedValue(int keyVersion, byte[] ciphertext) {

  public EncryptedValue {
    ciphertext = ciphertext.clone();
  }

  /** Returns the length of the ciphertext in bytes. */
  public int size() {
    return ciphertext.length;
  }

  @Override
  public byte[] ciphertext() {
    return ciphertext.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EncryptedValue encrypted
        && keyVersion == encrypted.keyVersion
        && Arrays.equals(ciphertext, encrypted.ciphertext);
  }

  @Override
  public int hashCode() {
    return 31 * keyVersion + Arrays.hashCode(ciphertext);
  }

  @Override
  public String toString() {
    return "EncryptedValue[version " + keyVersion + ", " + ciphertext.length + " bytes]";
  }
}
