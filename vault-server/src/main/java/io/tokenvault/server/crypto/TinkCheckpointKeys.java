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
 * Ed25519 under keys that are derived from those for hashes of API keys, one for each key of the
 * keyset. The id of a tag is the id of that Tink key, which may be negative.
 */
public final class TinkCheckpointKeys implements CheckpointKeys {

  private static final int SEED_BYTES = 32;

  /** Not the beginning of anything else that is hashed under the parent key. */
  private static final byte[] LABEL = "audit-checkpoint:v1".getBytes(StandardCharsets.US_ASCII);

  private final int primaryId;
  private final Ed25519Sign primary;
  private final Map<Integer, byte[]> publicKeys = new HashMap<>();

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

  /** The public keys, of 32 bytes each, by the ids that signatures have. */
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
