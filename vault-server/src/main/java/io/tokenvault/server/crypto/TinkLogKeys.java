package io.tokenvault.server.crypto;

import com.google.crypto.tink.prf.Prf;
import com.google.crypto.tink.prf.PrfSet;
import com.google.crypto.tink.subtle.Ed25519Sign;
import com.google.crypto.tink.subtle.Ed25519Verify;
import io.tokenvault.domain.audit.integrity.LogTag;
import io.tokenvault.ports.crypto.CheckpointKeys;
import io.tokenvault.ports.crypto.LogKeys;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Authenticates audit entries, hash chains, dropped partitions and backups with HMAC-SHA-256, and
 * signs checkpoints with Ed25519 (RFC 8032).
 *
 * <p>The keys are derived from those that hash API keys, one for each key of the keyset and each
 * use. The key id of a tag is the id of that Tink key, which may be negative.
 */
public final class TinkLogKeys implements LogKeys, CheckpointKeys {

  private static final String ALGORITHM = "HmacSHA256";
  private static final int KEY_BYTES = 32;

  /** Derives the signing key; it is not a prefix of any other text under the parent key. */
  private static final byte[] CHECKPOINT =
      "audit-checkpoint:v1".getBytes(StandardCharsets.US_ASCII);

  private final int primaryId;
  private final Ed25519Sign signer;
  private final Map<Integer, byte[]> publicKeys = new HashMap<>();
  private final Map<Integer, Map<Use, Mac>> functions = new HashMap<>();

  /**
   * Derives the MAC keys of all uses and the signing keys.
   *
   * @throws IllegalStateException if the keyset cannot be used
   */
  public TinkLogKeys(MasterKeyset keyset) {
    PrfSet set = keyset.hashing();
    this.primaryId = set.getPrimaryId();
    try {
      for (Map.Entry<Integer, Prf> each : set.getPrfs().entrySet()) {
        functions.put(each.getKey(), macs(each.getValue()));
        publicKeys.put(each.getKey(), signingKey(each.getValue()).getPublicKey());
      }
      this.signer = new Ed25519Sign(signingKey(set.getPrfs().get(primaryId)).getPrivateKey());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the keys of the log cannot be derived", e);
    }
  }

  private static Map<Use, Mac> macs(Prf parent) throws GeneralSecurityException {
    Map<Use, Mac> keys = new EnumMap<>(Use.class);
    for (Use use : Use.values()) {
      byte[] label = label(use).getBytes(StandardCharsets.US_ASCII);
      Mac function = Mac.getInstance(ALGORITHM);
      function.init(new SecretKeySpec(parent.compute(label, KEY_BYTES), ALGORITHM));
      keys.put(use, function);
    }
    return keys;
  }

  private static Ed25519Sign.KeyPair signingKey(Prf parent) throws GeneralSecurityException {
    return Ed25519Sign.KeyPair.newKeyPairFromSeed(parent.compute(CHECKPOINT, KEY_BYTES));
  }

  /**
   * Returns the label that derives the key of a use. No label is a prefix of another, nor of any
   * other text that is hashed under the parent key.
   */
  private static String label(Use use) {
    return switch (use) {
      case ENTRY -> "audit-entry:v1";
      case CHAIN_LINK -> "audit-seal:v1";
      case DROP -> "audit-drop:v1";
      case BACKUP -> "backup:v1";
    };
  }

  @Override
  public LogTag authenticate(Use use, byte[] content) {
    return new LogTag(primaryId, mac(primaryId, use, content));
  }

  @Override
  public boolean confirms(Use use, byte[] content, LogTag mac) {
    return functions.containsKey(mac.keyId())
        && MessageDigest.isEqual(mac(mac.keyId(), use, content), mac.bytes());
  }

  /** Computes a MAC with a copy of the function, since threads share the original. */
  private byte[] mac(int keyId, Use use, byte[] content) {
    try {
      return ((Mac) functions.get(keyId).get(use).clone()).doFinal(content);
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("the JDK's HMAC can be copied", e);
    }
  }

  @Override
  public LogTag sign(byte[] content) {
    try {
      return new LogTag(primaryId, signer.sign(content));
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
    return "TinkLogKeys[redacted]";
  }
}
