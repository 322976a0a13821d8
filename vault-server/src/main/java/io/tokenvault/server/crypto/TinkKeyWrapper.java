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
import com.google.crypto.tink.proto.EncryptedKeyset;
import com.google.protobuf.ByteString;
import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.InvalidProtocolBufferException;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.KeyWrapper;
import io.tokenvault.ports.crypto.WrappedKey;
import io.tokenvault.server.crypto.TinkTenantCrypto.AssociatedData;
import java.security.GeneralSecurityException;

/**
 * Creates keys of tenants as Tink keysets and encrypts them under a master keyset.
 *
 * <p>Data keys are AES-256-GCM keys; keys for fingerprints and search indexes are HMAC-SHA-256
 * keys.
 */
public final class TinkKeyWrapper implements KeyWrapper {

  /** First byte of a Tink ciphertext, which is followed by the id of the key. */
  private static final int TINK_PREFIX = 1;

  private static final int PREFIX_BYTES = 1 + Integer.BYTES;
  private static final Configuration AEAD = AeadConfig2026.get();
  private static final Configuration PRF = PrfConfig2026.get();

  private final Aead master;

  public TinkKeyWrapper(MasterKeyset keyset) {
    this.master = keyset.wrapping();
  }

  @Override
  public WrappedKey create(TenantId tenantId, KeyPurpose purpose, int version) {
    try {
      KeysetHandle key = KeysetHandle.generateNew(parameters(purpose), configuration(purpose));
      return wrap(key, tenantId, purpose, version);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no " + purpose + " key can be created", e);
    }
  }

  @Override
  public WrappedKey rewrap(TenantId tenantId, WrappedKey key) {
    try {
      return wrap(unwrap(master, tenantId, key), tenantId, key.purpose(), key.version());
    } catch (GeneralSecurityException e) {
      throw unusable(key);
    }
  }

  @Override
  public int masterKeyId(WrappedKey key) {
    return wrappingKeyId(key);
  }

  /**
   * Returns the id of the master key that a key is wrapped under, even if the keyset lacks it.
   *
   * @throws IllegalStateException if the key was not wrapped by Tink
   */
  static int wrappingKeyId(WrappedKey key) {
    ByteString ciphertext = ciphertext(key);
    if (ciphertext.size() < PREFIX_BYTES || ciphertext.byteAt(0) != TINK_PREFIX) {
      throw unusable(key);
    }
    return ciphertext.asReadOnlyByteBuffer().getInt(1);
  }

  /** Extracts the ciphertext from the protocol buffer in which Tink stores an encrypted keyset. */
  private static ByteString ciphertext(WrappedKey key) {
    try {
      return EncryptedKeyset.parseFrom(key.wrapped(), ExtensionRegistryLite.getEmptyRegistry())
          .getEncryptedKeyset();
    } catch (InvalidProtocolBufferException e) {
      throw unusable(key);
    }
  }

  /** Encrypts a key under the primary master key, bound to tenant, purpose and version. */
  private WrappedKey wrap(KeysetHandle key, TenantId tenantId, KeyPurpose purpose, int version)
      throws GeneralSecurityException {
    byte[] boundTo = AssociatedData.ofKey(tenantId, purpose, version);
    byte[] wrapped =
        TinkProtoKeysetFormat.serializeEncryptedKeyset(
            key, master, boundTo, configuration(purpose));
    return new WrappedKey(purpose, version, wrapped);
  }

  /**
   * Decrypts a wrapped key.
   *
   * @throws GeneralSecurityException if the key was changed, or wrapped for another tenant, purpose
   *     or version, or under a master key that the keyset does not have
   */
  static KeysetHandle unwrap(Aead master, TenantId tenantId, WrappedKey key)
      throws GeneralSecurityException {
    byte[] boundTo = AssociatedData.ofKey(tenantId, key.purpose(), key.version());
    return TinkProtoKeysetFormat.parseEncryptedKeyset(
        key.wrapped(), master, boundTo, configuration(key.purpose()));
  }

  /** Returns the algorithm of a purpose: AES-256-GCM for data, HMAC-SHA-256 for hashes. */
  private static Parameters parameters(KeyPurpose purpose) {
    return purpose == KeyPurpose.DATA
        ? PredefinedAeadParameters.AES256_GCM
        : PredefinedPrfParameters.HMAC_SHA256_PRF;
  }

  /** Returns the only primitives that a key of this purpose can provide. */
  static Configuration configuration(KeyPurpose purpose) {
    return purpose == KeyPurpose.DATA ? AEAD : PRF;
  }

  /**
   * Returns the failure for a key that cannot be unwrapped. It has no cause, since that might quote
   * key material.
   */
  static IllegalStateException unusable(WrappedKey key) {
    return new IllegalStateException(
        "the tenant's "
            + key.purpose()
            + " key (version "
            + key.version()
            + ") cannot be used: it was changed, moved, or wrapped under another master keyset");
  }
}
