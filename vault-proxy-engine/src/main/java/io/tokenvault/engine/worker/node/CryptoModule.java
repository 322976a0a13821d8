package io.tokenvault.engine.worker.node;

import org.mozilla.javascript.ScriptableObject;

/** {@code require('crypto')}. */
final class CryptoModule {
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

  static ScriptableObject in(ByteRealm realm) {
    return realm.once("module crypto", ScriptableObject.class, () -> define(realm));
  }

  private static ScriptableObject define(ByteRealm realm) {
    Members members = Members.listed(realm, ByteRealm.plain(realm));
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

  private static void hashes(Members members) {
    members
        .method("createHash", 2, Hashes::createHash)
        .method("createHmac", 3, Hashes::createHmac)
        .method("getHashes", 0, (r, self, args) -> r.array(Digests.list()))
        .method("hkdf", 6, KeyDerivation::hkdf)
        .method("hkdfSync", 5, KeyDerivation::hkdfSync)
        .method("pbkdf2", 6, KeyDerivation::pbkdf2)
        .method("pbkdf2Sync", 5, KeyDerivation::pbkdf2Sync);
  }

  private static void ciphers(Members members) {
    members
        .method("createCipheriv", 4, (r, self, args) -> Ciphers.create(r, args, true))
        .method("createDecipheriv", 4, (r, self, args) -> Ciphers.create(r, args, false))
        .method("getCiphers", 0, (r, self, args) -> r.array(CipherSpec.list()))
        .method("publicEncrypt", 2, RsaEncryption::encrypt)
        .method("privateDecrypt", 2, RsaEncryption::decrypt);
  }

  private static void keys(Members members) {
    members
        .method("createSecretKey", 2, Keys::createSecretKey)
        .method("createPrivateKey", 1, Keys::createPrivateKey)
        .method("createPublicKey", 1, Keys::createPublicKey)
        .method("createSign", 2, (r, self, args) -> Signatures.create(r, args, true))
        .method("createVerify", 2, (r, self, args) -> Signatures.create(r, args, false))
        .method("sign", 4, Signatures::sign)
        .method("verify", 5, Signatures::verify);
  }

  private static void random(Members members) {
    members
        .method("randomBytes", 2, Randomness::randomBytes)
        .method("randomFill", 4, Randomness::randomFill)
        .method("randomFillSync", 3, Randomness::randomFillSync)
        .method("randomInt", 3, Randomness::randomInt)
        .method("randomUUID", 1, Randomness::randomUuid)
        .method("timingSafeEqual", 2, Randomness::timingSafeEqual);
  }

  private static void classes(ByteRealm realm, Members members) {
    members
        .lazy("Hash", () -> Hashes.hashClass(realm))
        .lazy("Hmac", () -> Hashes.hmacClass(realm))
        .lazy("Cipheriv", () -> Ciphers.encrypting(realm))
        .lazy("Decipheriv", () -> Ciphers.decrypting(realm))
        .lazy("Sign", () -> Signatures.signing(realm))
        .lazy("Verify", () -> Signatures.verifying(realm))
        .lazy("KeyObject", () -> Keys.keyClass(realm));
  }

  private static ScriptableObject constants(ByteRealm realm) {
    return Members.listed(realm, ByteRealm.plain(realm))
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
