package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import io.tokenvault.engine.worker.node.buffer.LazyMembers;
import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.HostObject;
import io.tokenvault.engine.worker.node.script.NodeError;
import java.security.MessageDigest;
import javax.crypto.Mac;
import org.mozilla.javascript.LambdaConstructor;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/** {@code createHash} and {@code createHmac}. */
final class HashFunctions {
  private static final int SETUP = 500;

  private HashFunctions() {}

  static LambdaConstructor hashClass(ByteRealm realm) {
    return realm.once("Hash", LambdaConstructor.class, () -> defineHash(realm));
  }

  static LambdaConstructor hmacClass(ByteRealm realm) {
    return realm.once("Hmac", LambdaConstructor.class, () -> defineHmac(realm));
  }

  private static LambdaConstructor defineHash(ByteRealm realm) {
    LambdaConstructor hash =
        realm.constructor("Hash", 2, HashFunctions::createHash, HashFunctions::createHash);
    ScriptableObject prototype = realm.prototype(hash);
    LazyMembers.hidden(realm, prototype)
        .method("update", 2, HashFunctions::updateHash)
        .method("digest", 1, HashFunctions::digestHash)
        .method("copy", 1, HashFunctions::copyHash);
    return hash;
  }

  private static LambdaConstructor defineHmac(ByteRealm realm) {
    LambdaConstructor hmac =
        realm.constructor("Hmac", 3, HashFunctions::createHmac, HashFunctions::createHmac);
    ScriptableObject prototype = realm.prototype(hmac);
    LazyMembers.hidden(realm, prototype)
        .method("update", 2, HashFunctions::updateHmac)
        .method("digest", 1, HashFunctions::digestHmac);
    return hmac;
  }

  static Object createHash(ByteRealm realm, Object self, CallArguments args) {
    DigestAlgorithms digest = DigestAlgorithms.named(args.text(0, "algorithm"));
    if (digest == null) {
      throw NodeError.error(null, "Digest method not supported");
    }
    checkLength(digest, args.at(1));
    realm.spend(SETUP);
    return hash(realm, new Hashing(digest.digest()));
  }

  /** A length of one's own is for hash functions that have no length, which are not here. */
  private static void checkLength(DigestAlgorithms digest, Object options) {
    boolean given = options instanceof Scriptable && !Undefined.isUndefined(options);
    Object length = given ? LazyMembers.property(options, "outputLength") : Undefined.instance;
    if (!Undefined.isUndefined(length)
        && CallArguments.whole(length, "options.outputLength", 0, Integer.MAX_VALUE)
            != digest.bytes()) {
      throw NodeError.openSsl(
          "030000B2",
          "digital envelope routines",
          "not XOF or invalid length",
          "ERR_OSSL_EVP_NOT_XOF_OR_INVALID_LENGTH");
    }
  }

  private static Object hash(ByteRealm realm, Hashing state) {
    return realm.host(state, realm.prototype(hashClass(realm)));
  }

  private static Object updateHash(ByteRealm realm, Object self, CallArguments args) {
    MessageDigest digest = hashing(self).open();
    ByteView data = CryptoInputs.data(realm, args);
    digest.update(data.array, data.offset, data.length);
    return self;
  }

  private static Object digestHash(ByteRealm realm, Object self, CallArguments args) {
    Hashing state = hashing(self);
    byte[] bytes = state.open().digest();
    state.digest = null;
    return realm.output(bytes, args.at(0));
  }

  private static Object copyHash(ByteRealm realm, Object self, CallArguments args) {
    try {
      return hash(realm, new Hashing((MessageDigest) hashing(self).open().clone()));
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Hashing hashing(Object self) {
    return HostObject.self(self, Hashing.class, "Hash");
  }

  static Object createHmac(ByteRealm realm, Object self, CallArguments args) {
    String name = args.text(0, "hmac");
    byte[] key = KeyObjects.secret(args.at(1), args.at(2));
    DigestAlgorithms digest = DigestAlgorithms.named(name);
    if (digest == null) {
      throw NodeError.type("ERR_CRYPTO_INVALID_DIGEST", "Invalid digest: " + name);
    }
    realm.spend(SETUP + 3L * key.length);
    return realm.host(new Authenticating(digest.mac(key)), realm.prototype(hmacClass(realm)));
  }

  private static Object updateHmac(ByteRealm realm, Object self, CallArguments args) {
    Mac mac = authenticating(self).mac;
    if (mac == null) {
      throw finalized();
    }
    ByteView data = CryptoInputs.data(realm, args);
    mac.update(data.array, data.offset, data.length);
    return self;
  }

  /** A second digest is empty, in Node.js too. */
  private static Object digestHmac(ByteRealm realm, Object self, CallArguments args) {
    Authenticating state = authenticating(self);
    byte[] bytes = state.mac == null ? new byte[0] : state.mac.doFinal();
    state.mac = null;
    return realm.output(bytes, args.at(0));
  }

  private static Authenticating authenticating(Object self) {
    return HostObject.self(self, Authenticating.class, "Hmac");
  }

  private static NodeError finalized() {
    return NodeError.error("ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
  }

  /** A hash; without its digest once it was given out. */
  private static final class Hashing {
    private MessageDigest digest;

    private Hashing(MessageDigest digest) {
      this.digest = digest;
    }

    private MessageDigest open() {
      if (digest == null) {
        throw finalized();
      }
      return digest;
    }
  }

  /** An HMAC; without its state once it was given out. */
  private static final class Authenticating {
    private Mac mac;

    private Authenticating(Mac mac) {
      this.mac = mac;
    }
  }
}
