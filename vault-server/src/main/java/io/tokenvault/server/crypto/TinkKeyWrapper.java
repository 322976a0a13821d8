package io.tokenvault.server.crypto;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.proto.EncryptedKeyset;
import com.google.protobuf.ByteString;
import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.InvalidProtocolBufferException;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyPurpose;
import io.tokenvault.ports.crypto.KeyWrapper;
import io.tokenvault.ports.crypto.WrappedKey;
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

  private final Aead master;

  public TinkKeyWrapper(MasterKeyset keyset) {
    this.master = keyset.wrapping();
  }

  @Override
  public WrappedKey create(TenantId tenantId, KeyPurpose purpose, int version) {
    try {
      return TenantKeyset.generate(tenantId, purpose, version).wrap(master);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no " + purpose + " key can be made", e);
    }
  }

  @Override
  public WrappedKey rewrap(TenantId tenantId, WrappedKey key) {
    try {
      return TenantKeyset.unwrap(master, tenantId, key).wrap(master);
    } catch (GeneralSecurityException e) {
      throw UnwrappedKeys.unusable(key);
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if the key was not wrapped by Tink
   */
  @Override
  public int masterKeyId(WrappedKey key) {
    ByteString ciphertext = ciphertext(key);
    if (ciphertext.size() < PREFIX_BYTES || ciphertext.byteAt(0) != TINK_PREFIX) {
      throw UnwrappedKeys.unusable(key);
    }
    return ciphertext.asReadOnlyByteBuffer().getInt(1);
  }

  /** Extracts the ciphertext from the protocol buffer in which Tink stores an encrypted keyset. */
  private static ByteString ciphertext(WrappedKey key) {
    try {
      return EncryptedKeyset.parseFrom(key.wrapped(), ExtensionRegistryLite.getEmptyRegistry())
          .getEncryptedKeyset();
    } catch (InvalidProtocolBufferException e) {
      throw UnwrappedKeys.unusable(key);
    }
  }
}
