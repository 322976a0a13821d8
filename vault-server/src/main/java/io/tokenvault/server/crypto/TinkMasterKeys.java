package io.tokenvault.server.crypto;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.KeysetHandle;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyProof;
import io.tokenvault.ports.crypto.MasterKeyId;
import io.tokenvault.ports.crypto.MasterKeyId.Use;
import io.tokenvault.ports.crypto.MasterKeys;
import io.tokenvault.ports.crypto.WrappedKey;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Publishes the ids of the master keys and proofs of possession, without the keys themselves.
 *
 * <p>The proof of a wrapping key is the encryption of an empty text. The proof of a hashing key is
 * the hash of a text that is not an API key or a proxy key.
 */
public final class TinkMasterKeys implements MasterKeys {

  private static final int HASH_BYTES = 32;
  private static final byte[] NOTHING = {};
  private static final byte[] PROOF = "key-proof:".getBytes(StandardCharsets.US_ASCII);

  private final MasterKeyset keyset;
  private final TinkKeyWrapper wrapper;

  public TinkMasterKeys(MasterKeyset keyset) {
    this.keyset = keyset;
    this.wrapper = new TinkKeyWrapper(keyset);
  }

  @Override
  public Set<MasterKeyId> ids() {
    return Stream.of(Use.values())
        .flatMap(use -> keyset.ids(use).stream().map(id -> new MasterKeyId(use, id)))
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public MasterKeyId primary(Use use) {
    return new MasterKeyId(use, keyset.primaryId(use));
  }

  @Override
  public KeyProof prove(MasterKeyId key) {
    try {
      return new KeyProof(key, isHashing(key) ? hash(key) : alone(key).encrypt(NOTHING, PROOF));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot create a proof of the key " + key, e);
    }
  }

  @Override
  public boolean confirms(KeyProof proof) {
    try {
      return isHashing(proof.key())
          ? MessageDigest.isEqual(hash(proof.key()), proof.proof())
          : alone(proof.key()).decrypt(proof.proof(), PROOF).length == 0;
    } catch (GeneralSecurityException anotherKey) {
      return false;
    }
  }

  private static boolean isHashing(MasterKeyId key) {
    return key.use() == Use.KEY_HASH;
  }

  /** Returns the proof of a hashing key. */
  private byte[] hash(MasterKeyId key) throws GeneralSecurityException {
    return keyset.hashing().getPrfs().get(key.id()).compute(PROOF, HASH_BYTES);
  }

  /** Returns a primitive that knows this key only, so that no other key can confirm its proof. */
  private Aead alone(MasterKeyId key) throws GeneralSecurityException {
    return MasterKeyset.wrapping(
        KeysetHandle.newBuilder()
            .addEntry(
                KeysetHandle.importKey(entry(key).getKey()).withFixedId(key.id()).makePrimary())
            .build());
  }

  /**
   * Returns the key with an id.
   *
   * @throws GeneralSecurityException if the keyset does not have it
   */
  private KeysetHandle.Entry entry(MasterKeyId key) throws GeneralSecurityException {
    return keyset.entries(key.use()).stream()
        .filter(entry -> entry.getId() == key.id())
        .findFirst()
        .orElseThrow(() -> new GeneralSecurityException("the keyset does not have that key"));
  }

  @Override
  public boolean unwraps(TenantId tenantId, WrappedKey key) {
    try {
      TinkKeyWrapper.unwrap(keyset.wrapping(), tenantId, key);
      return true;
    } catch (GeneralSecurityException anotherKey) {
      return false;
    }
  }

  @Override
  public MasterKeyId wrapping(WrappedKey key) {
    return new MasterKeyId(Use.WRAPPING, wrapper.masterKeyId(key));
  }
}
