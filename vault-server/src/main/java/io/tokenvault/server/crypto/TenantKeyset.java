package io.tokenvault.server.crypto;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.Configuration;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.Parameters;
import com.google.crypto.tink.TinkProtoKeysetFormat;
import com.google.crypto.tink.aead.AeadConfig2026;
import com.google.crypto.tink.aead.PredefinedAeadParameters;
import com.google.crypto.tink.prf.PredefinedPrfParameters;
import com.google.crypto.tink.prf.PrfConfig2026;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.WrappedKey;
import java.security.GeneralSecurityException;

/**
 * An unwrapped key of a tenant, as a Tink keyset of the type that its purpose requires.
 *
 * @param tenantId the tenant that the wrapped form is bound to
 * @param purpose the purpose that the wrapped form is bound to
 * @param version the version that the wrapped form is bound to
 * @param handle the key itself
 */
record TenantKeyset(TenantId tenantId, KeyPurpose purpose, int version, KeysetHandle handle) {

  private static final Configuration AEAD = AeadConfig2026.get();
  private static final Configuration PRF = PrfConfig2026.get();

  /** Generates a new key: AES-256-GCM for data, HMAC-SHA-256 for hashes. */
  static TenantKeyset generate(TenantId tenantId, KeyPurpose purpose, int version)
      throws GeneralSecurityException {
    KeysetHandle handle = KeysetHandle.generateNew(parameters(purpose), configuration(purpose));
    return new TenantKeyset(tenantId, purpose, version, handle);
  }

  /**
   * Decrypts a wrapped key.
   *
   * @throws GeneralSecurityException if the key was changed, or wrapped for another tenant, purpose
   *     or version, or under a master key that the keyset does not have
   */
  static TenantKeyset unwrap(Aead master, TenantId tenantId, WrappedKey key)
      throws GeneralSecurityException {
    byte[] boundTo = AssociatedData.ofKey(tenantId, key.purpose(), key.version());
    KeysetHandle handle =
        TinkProtoKeysetFormat.parseEncryptedKeyset(
            key.wrapped(), master, boundTo, configuration(key.purpose()));
    return new TenantKeyset(tenantId, key.purpose(), key.version(), handle);
  }

  /** Encrypts this key under the primary master key, bound to tenant, purpose and version. */
  WrappedKey wrap(Aead master) throws GeneralSecurityException {
    byte[] boundTo = AssociatedData.ofKey(tenantId, purpose, version);
    byte[] wrapped =
        TinkProtoKeysetFormat.serializeEncryptedKeyset(
            handle, master, boundTo, configuration(purpose));
    return new WrappedKey(purpose, version, wrapped);
  }

  /**
   * Returns the operation that this key is for.
   *
   * @throws GeneralSecurityException if the key is of another kind
   */
  <P> P primitive(Class<P> kind) throws GeneralSecurityException {
    return handle.getPrimitive(configuration(purpose), kind);
  }

  /** Returns the algorithm of a purpose: AES-256-GCM for data, HMAC-SHA-256 for hashes. */
  private static Parameters parameters(KeyPurpose purpose) {
    return purpose == KeyPurpose.DATA
        ? PredefinedAeadParameters.AES256_GCM
        : PredefinedPrfParameters.HMAC_SHA256_PRF;
  }

  private static Configuration configuration(KeyPurpose purpose) {
    return purpose == KeyPurpose.DATA ? AEAD : PRF;
  }
}
