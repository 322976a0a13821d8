package io.tokenvault.server.crypto;

import com.google.crypto.tink.prf.Prf;
import com.google.crypto.tink.prf.PrfSet;
import com.google.crypto.tink.subtle.Ed25519Sign;
import com.google.crypto.tink.subtle.Ed25519Verify;
import io.tokenvault.domain.audit.integrity.LogTag;
import io.tokenvault.ports.crypto.CheckpointKeys;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Signs checkpoints with Ed25519 (RFC 8032).
 *
 * <p>The signing keys are derived from those that hash API keys, one for each key of the keyset.
 * The key id of a signature is the id of that Tink key, which may be negative. A signature can be
 * verified without the keyset, with the {@linkplain #publicKeys public keys}.
 */
public final class TinkCheckpointKeys implements CheckpointKeys {

  private static final int SEED_BYTES = 32;

  /** Derives the seed; it is not a prefix of any other text that is hashed under the parent key. */
  private static final byte[] LABEL = "audit-checkpoint:v1".getBytes(StandardCharsets.US_ASCII);

  private final int primaryId;
  private final Ed25519Sign primary;
  private final Map<Integer, byte[]> publicKeys = new HashMap<>();

  /**
   * Derives the keys.
   *
   * @throws IllegalStateException if the keyset cannot be used
   */
  public TinkCheckpointKeys(MasterKeyset keyset) {
    PrfSet set = keyset.hashing();
    this.primaryId = set.getPrimaryId();
    try {
      for (Map.Entry<Integer, Prf> each : set.getPrfs().entrySet()) {
        publicKeys.put(each.getKey(), derived(each.getValue()).getPublicKey());
      }
      this.primary = new Ed25519Sign(derived(set.getPrfs().get(primaryId)).getPrivateKey());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the keys for checkpoints cannot be derived", e);
    }
  }

  private static Ed25519Sign.KeyPair derived(Prf parent) throws GeneralSecurityException {
    return Ed25519Sign.KeyPair.newKeyPairFromSeed(parent.compute(LABEL, SEED_BYTES));
  }

  /** Returns the public keys, 32 bytes each, by the key ids of signatures. */
  public Map<Integer, byte[]> publicKeys() {
    return new TreeMap<>(publicKeys);
  }

  @Override
  public LogTag sign(byte[] content) {
    try {
      return new LogTag(primaryId, primary.sign(content));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a checkpoint cannot be signed", e);
    }
  }

  @Override
  public boolean confirmsSignature(byte[] content, LogTag signature) {
    byte[] key = publicKeys.get(signature.keyId());
    if (key == null) {
      return false;
    }
    try {
      new Ed25519Verify(key).verify(signature.bytes(), content);
      return true;
    } catch (GeneralSecurityException forged) {
      return false;
    }
  }

  @Override
  public String toString() {
    return "TinkCheckpointKeys[redacted]";
  }
}
