package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.NodeError;
import java.security.GeneralSecurityException;
import java.security.spec.MGF1ParameterSpec;
import javax.crypto.Cipher;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;
import org.mozilla.javascript.Undefined;

/** The functions {@code publicEncrypt} and {@code privateDecrypt} for RSA keys. */
final class RsaEncryption {
  /** The padding of PKCS #1 v1.5, for encryption only. */
  private static final int PKCS1 = 1;

  /** No padding. */
  private static final int NONE = 3;

  /** OAEP (RFC 8017, section 7.1), the default. */
  private static final int OAEP = 4;

  private RsaEncryption() {}

  /**
   * Implements {@code publicEncrypt(key, buffer)}.
   *
   * @throws NodeError if the key is not an RSA key or too small for the data
   */
  static Object encrypt(ByteRealm realm, Object self, CallArguments args) {
    KeyMaterial key = rsa(KeyObjects.publicKey(args.at(0)));
    byte[] data = CryptoInputs.bytes(args.at(1), "buffer");
    realm.spend(key.publicCost());
    int padding = padding(args.at(0));
    try {
      Cipher cipher = cipher(args.at(0), padding, key, Cipher.ENCRYPT_MODE);
      return realm.buffer(cipher.doFinal(data));
    } catch (GeneralSecurityException e) {
      throw NodeError.openSsl(
          "0200006E",
          "rsa routines",
          "data too large for key size",
          "ERR_OSSL_RSA_DATA_TOO_LARGE_FOR_KEY_SIZE");
    }
  }

  /**
   * Implements {@code privateDecrypt(key, buffer)}.
   *
   * <p>PKCS #1 v1.5 padding is rejected as in current versions of Node.js, since it allows padding
   * oracle attacks.
   *
   * @throws NodeError if the key is not an RSA key or the data cannot be decrypted
   */
  static Object decrypt(ByteRealm realm, Object self, CallArguments args) {
    KeyMaterial key = rsa(KeyObjects.privateKey(args.at(0)));
    byte[] data = CryptoInputs.bytes(args.at(1), "buffer");
    realm.spend(key.privateCost());
    int padding = padding(args.at(0));
    if (padding == PKCS1) {
      throw NodeError.type(
          "ERR_INVALID_ARG_VALUE",
          "RSA_PKCS1_PADDING is no longer supported for private decryption");
    }
    try {
      return realm.buffer(cipher(args.at(0), padding, key, Cipher.DECRYPT_MODE).doFinal(data));
    } catch (GeneralSecurityException e) {
      throw NodeError.openSsl(
          "02000079", "rsa routines", "oaep decoding error", "ERR_OSSL_RSA_OAEP_DECODING_ERROR");
    }
  }

  /** Returns the key if it is an RSA key. */
  private static KeyMaterial rsa(KeyMaterial key) {
    if (!key.isRsa()) {
      throw NodeError.openSsl(
          "03000096",
          "digital envelope routines",
          "operation not supported for this keytype",
          "ERR_OSSL_EVP_OPERATION_NOT_SUPPORTED_FOR_THIS_KEYTYPE");
    }
    return key;
  }

  /** Returns the option {@code padding}; OAEP if it is not set. */
  private static int padding(Object options) {
    Object padding = KeyObjects.option(options, "padding");
    if (Undefined.isUndefined(padding)) {
      return OAEP;
    }
    double number = CallArguments.isNumber(padding) ? ((Number) padding).doubleValue() : -1;
    if (number != PKCS1 && number != NONE && number != OAEP) {
      throw NodeError.openSsl(
          "02000076", "rsa routines", "unknown padding type", "ERR_OSSL_RSA_UNKNOWN_PADDING_TYPE");
    }
    return (int) number;
  }

  private static Cipher cipher(Object options, int padding, KeyMaterial key, int direction)
      throws GeneralSecurityException {
    if (padding == OAEP) {
      Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPPadding");
      cipher.init(direction, key.key(), oaep(options));
      return cipher;
    }
    Cipher cipher =
        Cipher.getInstance(padding == PKCS1 ? "RSA/ECB/PKCS1Padding" : "RSA/ECB/NoPadding");
    cipher.init(direction, key.key());
    return cipher;
  }

  /**
   * Returns the parameters of OAEP from the options {@code oaepHash} and {@code oaepLabel}. The
   * default hash function is SHA-1, as in Node.js.
   */
  private static OAEPParameterSpec oaep(Object options) {
    Object name = KeyObjects.option(options, "oaepHash");
    DigestAlgorithm digest =
        Undefined.isUndefined(name)
            ? DigestAlgorithm.SHA1
            : DigestAlgorithm.named(CallArguments.text(name, "key.oaepHash"));
    if (digest == null) {
      throw NodeError.error("ERR_OSSL_EVP_INVALID_DIGEST", "Invalid digest used");
    }
    Object label = KeyObjects.option(options, "oaepLabel");
    byte[] bytes =
        Undefined.isUndefined(label) ? new byte[0] : CryptoInputs.bytes(label, "key.oaepLabel");
    String hash = digest.digestName();
    return new OAEPParameterSpec(
        hash, "MGF1", new MGF1ParameterSpec(hash), new PSource.PSpecified(bytes));
  }
}
