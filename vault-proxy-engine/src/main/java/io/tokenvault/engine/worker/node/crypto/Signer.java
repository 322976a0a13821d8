package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import io.tokenvault.engine.worker.node.script.ByteView;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;

/**
 * Signs and verifies with the providers of the JDK: RSA in PKCS #1 v1.5 and PSS, ECDSA and Ed25519.
 */
final class Signer {
  private Signer() {}

  /**
   * Signs data. Unsuitable keys and options throw a {@code NodeError}.
   *
   * @param digest the hash function, ignored for Ed25519
   * @param key a private key
   * @return the signature; for EC keys in the format that the options name
   */
  static byte[] sign(
      ByteRealm realm,
      DigestAlgorithms digest,
      KeyMaterial key,
      SignatureOptions options,
      ByteView data) {
    realm.spend(key.privateCost() + 3L * data.length);
    try {
      int salt = key.isRsa() && options.isPss() ? salt(key, digest, options) : 0;
      Signature signature = signature(digest, key, options, salt);
      signature.initSign(key.privateKey());
      signature.update(data.array, data.offset, data.length);
      return signature.sign();
    } catch (InvalidAlgorithmParameterException e) {
      throw SignatureOptions.invalidSalt();
    } catch (GeneralSecurityException e) {
      throw CipherFunctions.failed(e);
    }
  }

  /** Returns the salt length for signing. */
  private static int salt(KeyMaterial key, DigestAlgorithms digest, SignatureOptions options) {
    int asked = options.saltLength(digest);
    int salt =
        asked == SignatureOptions.SALT_AUTO ? PssParameters.longestSalt(key.bits(), digest) : asked;
    if (salt < 0) {
      throw SignatureOptions.invalidSalt();
    }
    return salt;
  }

  /**
   * Verifies a signature.
   *
   * @param key a public or private key
   * @param bytes the signature
   * @return false if the signature is wrong or malformed, or the key is not suitable for it
   */
  static boolean verify(
      ByteRealm realm,
      DigestAlgorithms digest,
      KeyMaterial key,
      SignatureOptions options,
      ByteView data,
      byte[] bytes) {
    realm.spend(2 * key.publicCost() + 3L * data.length);
    try {
      int salt = key.isRsa() && options.isPss() ? saltOf(key, digest, options, bytes) : 0;
      if (salt < 0) {
        return false;
      }
      Signature signature = signature(digest, key, options, salt);
      signature.initVerify(key.publicKey());
      signature.update(data.array, data.offset, data.length);
      return signature.verify(bytes);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /** Returns the salt length of a signature to verify; -1 if it is not a PSS signature. */
  private static int saltOf(
      KeyMaterial key, DigestAlgorithms digest, SignatureOptions options, byte[] bytes) {
    int asked = options.saltLength(digest);
    return asked == SignatureOptions.SALT_AUTO
        ? PssParameters.saltLength((RSAPublicKey) key.publicKey(), digest, bytes)
        : asked;
  }

  /** Returns the signature algorithm of the JDK for a key. */
  private static Signature signature(
      DigestAlgorithms digest, KeyMaterial key, SignatureOptions options, int salt)
      throws GeneralSecurityException {
    if (key.isEc()) {
      String format = options.isP1363() ? "inP1363Format" : "";
      return Signature.getInstance(digest.inSignature() + "withECDSA" + format);
    }
    if (!key.isRsa()) {
      return Signature.getInstance("Ed25519");
    }
    if (!options.isPss()) {
      return Signature.getInstance(digest.inSignature() + "withRSA");
    }
    Signature pss = Signature.getInstance("RSASSA-PSS");
    String name = digest.digestName();
    pss.setParameter(new PSSParameterSpec(name, "MGF1", new MGF1ParameterSpec(name), salt, 1));
    return pss;
  }
}
