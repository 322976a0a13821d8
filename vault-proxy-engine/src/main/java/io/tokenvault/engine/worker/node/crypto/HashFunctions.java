package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import io.tokenvault.engine.worker.node.buffer.LazyMembers;
import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.HostObject;
import io.tokenvault.engine.worker.node.script.NodeError;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import org.mozilla.javascript.LambdaConstructor;
import org.mozilla.javascript.Undefined;
import org.mozilla.javascript.typedarrays.NativeArrayBuffer;

/** The functions {@code createHash} and {@code createHmac}, and their classes. */
final class HashFunctions {
  /** The cost of creating a hash, in units of work. */
  private static final int SETUP = 500;

  /** The number of rounds between two checks of the limits. */
  private static final int CHUNK = 1000;

  /** The cost of one round, in units of work. */
  private static final long ROUND = 300;

  private HashFunctions() {}

  /** Returns the class {@code Hash} of a realm. */
  static LambdaConstructor hashClass(ByteRealm realm) {
    return realm.type(
        "Hash",
        2,
        HashFunctions::createHash,
        members ->
            CryptoStreams.addTransform(
                realm,
                members
                    .method("update", 2, HashFunctions::updateHash)
                    .method("digest", 1, HashFunctions::digestHash)
                    .method("copy", 1, HashFunctions::copyHash)));
  }

  /** Returns the class {@code Hmac} of a realm. */
  static LambdaConstructor hmacClass(ByteRealm realm) {
    return realm.type(
        "Hmac",
        3,
        HashFunctions::createHmac,
        members ->
            CryptoStreams.addTransform(
                realm,
                members
                    .method("update", 2, HashFunctions::updateHmac)
                    .method("digest", 1, HashFunctions::digestHmac)));
  }

  /**
   * Implements {@code createHash(algorithm[, options])}.
   *
   * @throws NodeError if the algorithm or the output length is not supported
   */
  static Object createHash(ByteRealm realm, Object self, CallArguments args) {
    DigestAlgorithms digest = DigestAlgorithms.named(args.text(0, "algorithm"));
    if (digest == null) {
      throw NodeError.error(null, "Digest method not supported");
    }
    checkLength(digest, args.at(1));
    realm.spend(SETUP);
    return realm.host(new Hashing(digest.digest()), hashClass(realm));
  }

  /**
   * Checks the option {@code outputLength}. Another length than that of the hash is for
   * extendable-output functions, which are not available here.
   */
  private static void checkLength(DigestAlgorithms digest, Object options) {
    Object length = LazyMembers.option(options, "outputLength");
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

  /** Implements {@code Hash.update}. */
  private static Object updateHash(ByteRealm realm, Object self, CallArguments args) {
    MessageDigest digest = hashing(self).open();
    ByteView data = CryptoInputs.data(realm, args);
    digest.update(data.array, data.offset, data.length);
    return self;
  }

  /** Implements {@code Hash.digest}, after which the object cannot be used. */
  private static Object digestHash(ByteRealm realm, Object self, CallArguments args) {
    Hashing state = hashing(self);
    byte[] bytes = state.open().digest();
    state.digest = null;
    return realm.output(bytes, args.at(0));
  }

  /** Implements {@code Hash.copy}. */
  private static Object copyHash(ByteRealm realm, Object self, CallArguments args) {
    try {
      Hashing copy = new Hashing((MessageDigest) hashing(self).open().clone());
      return realm.host(copy, hashClass(realm));
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Hashing hashing(Object self) {
    return HostObject.self(self, Hashing.class, "Hash");
  }

  /**
   * Implements {@code createHmac(algorithm, key[, options])}.
   *
   * @throws NodeError if the algorithm is not supported
   */
  static Object createHmac(ByteRealm realm, Object self, CallArguments args) {
    String name = args.text(0, "hmac");
    byte[] key = KeyObjects.secret(args.at(1), args.at(2));
    DigestAlgorithms digest = DigestAlgorithms.required(name);
    realm.spend(SETUP + 3L * key.length);
    return realm.host(new Authenticating(digest.mac(key)), hmacClass(realm));
  }

  /** Implements {@code Hmac.update}. */
  private static Object updateHmac(ByteRealm realm, Object self, CallArguments args) {
    Mac mac = authenticating(self).mac;
    if (mac == null) {
      throw finalized();
    }
    ByteView data = CryptoInputs.data(realm, args);
    mac.update(data.array, data.offset, data.length);
    return self;
  }

  /** Implements {@code Hmac.digest}. The digest of a second call is empty, as in Node.js. */
  private static Object digestHmac(ByteRealm realm, Object self, CallArguments args) {
    Authenticating state = authenticating(self);
    byte[] bytes = state.mac == null ? new byte[0] : state.mac.doFinal();
    state.mac = null;
    return realm.output(bytes, args.at(0));
  }

  private static Authenticating authenticating(Object self) {
    return HostObject.self(self, Authenticating.class, "Hmac");
  }

  /** Returns the error for a use after {@code digest}. */
  private static NodeError finalized() {
    return NodeError.error("ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
  }

  /** State of a {@code Hash}. The digest is null after it has been returned. */
  private static final class Hashing {
    private MessageDigest digest;

    private Hashing(MessageDigest digest) {
      this.digest = digest;
    }

    /**
     * Returns the digest.
     *
     * @throws NodeError if it has been returned before
     */
    private MessageDigest open() {
      if (digest == null) {
        throw finalized();
      }
      return digest;
    }
  }

  /** State of an {@code Hmac}. The MAC is null after it has been returned. */
  private static final class Authenticating {
    private Mac mac;

    private Authenticating(Mac mac) {
      this.mac = mac;
    }
  }

  /**
   * Implements {@code pbkdf2Sync(password, salt, iterations, keylen, digest)} (RFC 8018, section
   * 5.2).
   */
  static Object pbkdf2(ByteRealm realm, Object self, CallArguments args) {
    String name = args.text(4, "digest");
    byte[] password = CryptoInputs.bytes(args.at(0), "password");
    byte[] salt = CryptoInputs.bytes(args.at(1), "salt");
    int rounds = CallArguments.whole(args.at(2), "iterations", 1, Integer.MAX_VALUE);
    int length = CallArguments.whole(args.at(3), "keylen", 0, Integer.MAX_VALUE);
    DigestAlgorithms digest = DigestAlgorithms.required(name);
    realm.spend(length);
    byte[] key = new byte[length];
    try {
      fill(realm, digest.mac(password), salt, rounds, key);
    } catch (GeneralSecurityException e) {
      throw CryptoInputs.failed();
    }
    return realm.buffer(key);
  }

  /**
   * Implements {@code hkdfSync(digest, ikm, salt, info, keylen)} (RFC 5869), which is limited to
   * 255 blocks.
   */
  static Object hkdf(ByteRealm realm, Object self, CallArguments args) {
    String name = args.text(0, "digest");
    byte[] secret = KeyObjects.secret(args.at(1), Undefined.instance);
    byte[] salt = CryptoInputs.bytes(args.at(2), "salt");
    byte[] info = CryptoInputs.bytes(args.at(3), "info");
    int length = CallArguments.whole(args.at(4), "length", 0, Integer.MAX_VALUE);
    DigestAlgorithms digest = DigestAlgorithms.required(name);
    if (length > 255 * digest.bytes()) {
      throw NodeError.range("ERR_CRYPTO_INVALID_KEYLEN", "Invalid key length");
    }
    realm.spend(3L * (secret.length + salt.length) + 20L * length);
    NativeArrayBuffer key = realm.memory(length);
    expand(digest.mac(digest.mac(salt).doFinal(secret)), info, key.getBuffer());
    return key;
  }

  /** Computes the blocks of HKDF (RFC 5869, section 2.3). */
  private static void expand(Mac mac, byte[] info, byte[] key) {
    byte[] turn = {};
    for (int block = 1, filled = 0; filled < key.length; block++, filled += turn.length) {
      mac.update(turn);
      mac.update(info);
      turn = mac.doFinal(new byte[] {(byte) block});
      System.arraycopy(turn, 0, key, filled, Math.min(turn.length, key.length - filled));
    }
  }

  /** Computes the blocks of PBKDF2. */
  private static void fill(ByteRealm realm, Mac mac, byte[] salt, int rounds, byte[] key)
      throws GeneralSecurityException {
    int size = mac.getMacLength();
    for (int block = 1, filled = 0; filled < key.length; block++, filled += size) {
      mac.update(salt);
      byte[] index = ByteBuffer.allocate(4).putInt(block).array();
      byte[] result = rounds(realm, mac, mac.doFinal(index), rounds);
      System.arraycopy(result, 0, key, filled, Math.min(size, key.length - filled));
    }
  }

  /** Computes one block: the XOR of all rounds. Counts the work ahead of each group of rounds. */
  private static byte[] rounds(ByteRealm realm, Mac mac, byte[] first, int rounds)
      throws GeneralSecurityException {
    byte[] turn = first.clone();
    byte[] result = first;
    for (int round = 1; round < rounds; round++) {
      if (round % CHUNK == 1) {
        realm.spend(ROUND * Math.min(CHUNK, rounds - round));
      }
      mac.update(turn);
      mac.doFinal(turn, 0);
      for (int i = 0; i < result.length; i++) {
        result[i] ^= turn[i];
      }
    }
    return result;
  }
}
