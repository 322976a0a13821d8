package io.tokenvault.server.crypto;

import com.google.crypto.tink.Aead;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.FieldBinding;
import io.tokenvault.ports.crypto.FieldCipher;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.WrappedKey;
import java.security.GeneralSecurityException;

/**
 * Encrypts fields with AES-256-GCM under the data keys of their tenant.
 *
 * <p>Each ciphertext is bound to tenant, record and field by associated data. Up to 1,000 unwrapped
 * data keys are cached. Threads may share an instance.
 */
public final class TinkFieldCipher implements FieldCipher {

  private static final int KEYS_IN_MEMORY = 1000;

  private final UnwrappedKeys<Aead> dataKeys;

  public TinkFieldCipher(MasterKeyset keyset) {
    this(keyset, KEYS_IN_MEMORY);
  }

  /**
   * Creates a cipher with a cache of the given size.
   *
   * @param keysInMemory the number of data keys that stay unwrapped
   */
  TinkFieldCipher(MasterKeyset keyset, int keysInMemory) {
    this.dataKeys = new UnwrappedKeys<>(keyset.wrapping(), Aead.class, keysInMemory);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the keys are those of another tenant
   * @throws IllegalStateException if there is no data key, or the current one cannot be unwrapped
   */
  @Override
  public EncryptedValue seal(TenantKeys keys, FieldBinding field, SensitiveValue value) {
    if (!keys.tenantId().equals(field.tenantId())) {
      throw new IllegalArgumentException("the keys are those of another tenant");
    }
    WrappedKey current = keys.current(KeyPurpose.DATA);
    Aead dataKey = unwrap(keys, current, field);
    try {
      byte[] ciphertext = dataKey.encrypt(value.open(), AssociatedData.of(field));
      return new EncryptedValue(current.version(), ciphertext);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(name(field, current.version()) + " cannot be sealed", e);
    }
  }

  @Override
  public SensitiveValue open(TenantKeys keys, FieldBinding field, EncryptedValue sealed) {
    return decrypt(keys, field, sealed);
  }

  @Override
  public EncryptedValue reseal(TenantKeys keys, FieldBinding field, EncryptedValue sealed) {
    return seal(keys, field, decrypt(keys, field, sealed));
  }

  private SensitiveValue decrypt(TenantKeys keys, FieldBinding field, EncryptedValue sealed) {
    WrappedKey key =
        keys.version(KeyPurpose.DATA, sealed.keyVersion())
            .orElseThrow(() -> broken(field, sealed, "the tenant has no key of that version"));
    Aead dataKey = unwrap(keys, key, field);
    try {
      return SensitiveValue.of(dataKey.decrypt(sealed.ciphertext(), AssociatedData.of(field)));
    } catch (GeneralSecurityException e) {
      throw broken(field, sealed, "it was changed, moved, or sealed under another key");
    }
  }

  /** Unwraps a data key; the message of a failure names the field but none of its content. */
  private Aead unwrap(TenantKeys keys, WrappedKey key, FieldBinding field) {
    try {
      return dataKeys.unwrap(keys.tenantId(), key);
    } catch (IllegalStateException unusable) {
      throw new IllegalStateException(
          name(field, key.version())
              + " has no usable data key: that was changed, moved, or wrapped under another master"
              + " keyset");
    }
  }

  /**
   * Returns the failure for a ciphertext that cannot be decrypted. It names the field and the key
   * version, never data.
   */
  private static IllegalStateException broken(
      FieldBinding field, EncryptedValue sealed, String why) {
    return new IllegalStateException(name(field, sealed.keyVersion()) + " does not open: " + why);
  }

  private static String name(FieldBinding field, int version) {
    return "sealed " + field.kind() + " " + field.field() + " (key version " + version + ")";
  }
}
