package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import io.tokenvault.engine.worker.node.buffer.LazyMembers;
import io.tokenvault.engine.worker.node.script.NodeError;
import org.mozilla.javascript.ScriptableObject;

/**
 * The module {@code crypto}, as {@code require('crypto')} returns it.
 *
 * <p>Based on the providers of the JDK. Functions that are not available here throw an error with
 * their name.
 */
public final class CryptoModule {
  /**
   * Functions of Node.js that are not available here. A script that calls one gets an error with
   * its name instead of a {@code TypeError}.
   */
  private static final String[] UNAVAILABLE = {
    "createDiffieHellman",
    "createECDH",
    "diffieHellman",
    "generateKey",
    "generateKeyPair",
    "generateKeyPairSync",
    "generateKeySync",
    "privateEncrypt",
    "publicDecrypt",
    "scrypt",
    "scryptSync"
  };

  private CryptoModule() {}

  /** Returns the module of a realm, which is created on first use. */
  public static ScriptableObject in(ByteRealm realm) {
    return realm.once("module crypto", ScriptableObject.class, () -> define(realm));
  }

  /** Defines the properties of the module. */
  private static ScriptableObject define(ByteRealm realm) {
    LazyMembers members = LazyMembers.listed(realm, realm.object());
    hashes(members);
    ciphers(members);
    keys(members);
    random(members);
    classes(realm, members);
    for (String name : UNAVAILABLE) {
      members.method(name, 0, (r, self, args) -> unavailable(name));
    }
    return members.lazy("constants", () -> constants(realm)).object();
  }

  /** Throws the error for a function that is not available. */
  private static Object unavailable(String name) {
    throw NodeError.unavailable("crypto." + name);
  }

  /** Adds hash functions, HMAC and key derivation. */
  private static void hashes(LazyMembers members) {
    members
        .method("createHash", 2, HashFunctions::createHash)
        .method("createHmac", 3, HashFunctions::createHmac)
        .method("getHashes", 0, (r, self, args) -> r.array(DigestAlgorithms.list()))
        .method("hkdf", 6, KeyDerivation::hkdf)
        .method("hkdfSync", 5, KeyDerivation::hkdfSync)
        .method("pbkdf2", 6, KeyDerivation::pbkdf2)
        .method("pbkdf2Sync", 5, KeyDerivation::pbkdf2Sync);
  }

  /** Adds ciphers and RSA encryption. */
  private static void ciphers(LazyMembers members) {
    members
        .method("createCipheriv", 4, (r, self, args) -> CipherFunctions.create(r, args, true))
        .method("createDecipheriv", 4, (r, self, args) -> CipherFunctions.create(r, args, false))
        .method("getCiphers", 0, (r, self, args) -> r.array(CipherSpec.list()))
        .method("publicEncrypt", 2, RsaEncryption::encrypt)
        .method("privateDecrypt", 2, RsaEncryption::decrypt);
  }

  /** Adds keys and signatures. */
  private static void keys(LazyMembers members) {
    members
        .method("createSecretKey", 2, KeyObjects::createSecretKey)
        .method("createPrivateKey", 1, KeyObjects::createPrivateKey)
        .method("createPublicKey", 1, KeyObjects::createPublicKey)
        .method("createSign", 2, (r, self, args) -> SignatureFunctions.create(r, args, true))
        .method("createVerify", 2, (r, self, args) -> SignatureFunctions.create(r, args, false))
        .method("sign", 4, SignatureFunctions::sign)
        .method("verify", 5, SignatureFunctions::verify);
  }

  /** Adds random values and constant-time comparison. */
  private static void random(LazyMembers members) {
    members
        .method("randomBytes", 2, RandomFunctions::randomBytes)
        .method("randomFill", 4, RandomFunctions::randomFill)
        .method("randomFillSync", 3, RandomFunctions::randomFillSync)
        .method("randomInt", 3, RandomFunctions::randomInt)
        .method("randomUUID", 1, RandomFunctions::randomUuid)
        .method("timingSafeEqual", 2, RandomFunctions::timingSafeEqual);
  }

  /** Adds the classes of the objects that other functions return. */
  private static void classes(ByteRealm realm, LazyMembers members) {
    members
        .lazy("Hash", () -> HashFunctions.hashClass(realm))
        .lazy("Hmac", () -> HashFunctions.hmacClass(realm))
        .lazy("Cipheriv", () -> CipherFunctions.encrypting(realm))
        .lazy("Decipheriv", () -> CipherFunctions.decrypting(realm))
        .lazy("Sign", () -> SignatureFunctions.signing(realm))
        .lazy("Verify", () -> SignatureFunctions.verifying(realm))
        .lazy("KeyObject", () -> KeyObjects.keyClass(realm));
  }

  /** Returns the object {@code constants} with the values of OpenSSL. */
  private static ScriptableObject constants(ByteRealm realm) {
    return LazyMembers.listed(realm, realm.object())
        .value("RSA_PKCS1_PADDING", 1)
        .value("RSA_NO_PADDING", 3)
        .value("RSA_PKCS1_OAEP_PADDING", 4)
        .value("RSA_PKCS1_PSS_PADDING", 6)
        .value("RSA_PSS_SALTLEN_DIGEST", -1)
        .value("RSA_PSS_SALTLEN_AUTO", -2)
        .value("RSA_PSS_SALTLEN_MAX_SIGN", -2)
        .object();
  }
}
