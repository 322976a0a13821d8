package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import io.tokenvault.engine.worker.node.buffer.LazyMembers;
import io.tokenvault.engine.worker.node.script.NodeError;
import org.mozilla.javascript.ScriptableObject;

/** {@code require('crypto')}. */
public final class CryptoModule {
  /** In Node.js, but not here; said by name where a script calls one. */
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

  public static ScriptableObject in(ByteRealm realm) {
    return realm.once("module crypto", ScriptableObject.class, () -> define(realm));
  }

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

  private static Object unavailable(String name) {
    throw NodeError.unavailable("crypto." + name);
  }

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

  private static void ciphers(LazyMembers members) {
    members
        .method("createCipheriv", 4, (r, self, args) -> CipherFunctions.create(r, args, true))
        .method("createDecipheriv", 4, (r, self, args) -> CipherFunctions.create(r, args, false))
        .method("getCiphers", 0, (r, self, args) -> r.array(CipherSpec.list()))
        .method("publicEncrypt", 2, RsaEncryption::encrypt)
        .method("privateDecrypt", 2, RsaEncryption::decrypt);
  }

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

  private static void random(LazyMembers members) {
    members
        .method("randomBytes", 2, RandomFunctions::randomBytes)
        .method("randomFill", 4, RandomFunctions::randomFill)
        .method("randomFillSync", 3, RandomFunctions::randomFillSync)
        .method("randomInt", 3, RandomFunctions::randomInt)
        .method("randomUUID", 1, RandomFunctions::randomUuid)
        .method("timingSafeEqual", 2, RandomFunctions::timingSafeEqual);
  }

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
