package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import io.tokenvault.engine.worker.node.buffer.LazyProperties;
import io.tokenvault.engine.worker.node.buffer.TextEncoding;
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

  private static final String HASH = "Hash";
  private static final String HMAC = "Hmac";

  private HashFunctions() {}

  static LambdaConstructor hashClass(ByteRealm realm) {
    return realm.type(
        HASH,
        2,
        HashFunctions::createHash,
        (statics, methods) ->
            define(realm, methods, HASH).method("copy", 1, HashFunctions::copyHash));
  }

  static LambdaConstructor hmacClass(ByteRealm realm) {
    return realm.type(
        HMAC, 3, HashFunctions::createHmac, (statics, methods) -> define(realm, methods, HMAC));
  }

  private static LazyProperties define(ByteRealm realm, LazyProperties properties, String name) {
    CryptoModule.addTransformStream(realm, properties);
    return properties
        .method("update", 2, (r, self, args) -> update(r, self, args, name))
        .method(
            "digest",
            1,
            (r, self, args) -> r.output(self(self, name).finish(name.equals(HMAC)), args.at(0)));
  }

  private static Hashing self(Object self, String name) {
    return HostObject.self(self, Hashing.class, name);
  }

  /** Implements {@code update(data[, inputEncoding])}. */
  private static Object update(ByteRealm realm, Object self, CallArguments args, String name) {
    Hashing state = self(self, name).open();
    state.update(CryptoInputs.data(realm, args));
    return self;
  }

  /**
   * Implements {@code createHash(algorithm[, options])}.
   *
   * @throws NodeError if the algorithm or the output length is not supported
   */
  static Object createHash(ByteRealm realm, Object self, CallArguments args) {
    DigestAlgorithm digest = DigestAlgorithm.named(args.text(0, "algorithm"));
    if (digest == null) {
      throw NodeError.error(null, "Digest method not supported");
    }
    checkLength(digest, args.at(1));
    realm.spend(SETUP);
    return realm.host(new Hashing(digest.digest(), null), hashClass(realm));
  }

  /**
   * Implements {@code hash(algorithm, input[, outputEncoding])}.
   *
   * @throws NodeError if the algorithm or the encoding is not supported
   */
  static Object hash(ByteRealm realm, Object self, CallArguments args) {
    String name = args.text(0, "algorithm");
    byte[] input = CryptoInputs.bytesOrNull(args.at(1), TextEncoding.UTF8);
    if (input == null) {
      throw NodeError.argument("input", CryptoInputs.DATA, args.at(1));
    }
    String encoding = args.has(2) ? args.text(2, "outputEncoding") : "hex";
    DigestAlgorithm digest = DigestAlgorithm.named(name);
    if (digest == null) {
      throw NodeError.error(null, "Digest method " + name + " is not supported");
    }
    realm.spend(SETUP + 3L * input.length);
    Object output = realm.output(digest.digest().digest(input), encoding);
    if (!(output instanceof CharSequence) && !encoding.equals("buffer")) {
      throw NodeError.wrongValue("The argument 'outputEncoding' is invalid", encoding);
    }
    return output;
  }

  /**
   * Checks the option {@code outputLength}. Another length than that of the hash is for
   * extendable-output functions, which are not available here.
   */
  private static void checkLength(DigestAlgorithm digest, Object options) {
    Object length = LazyProperties.option(options, "outputLength");
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

  /** Implements {@code Hash.copy}. */
  private static Object copyHash(ByteRealm realm, Object self, CallArguments args) {
    Hashing state = self(self, HASH).open();
    if (state.digest == null) {
      throw NodeError.argument("algorithm", "of type string", self);
    }
    try {
      MessageDigest copy = (MessageDigest) state.digest.clone();
      return realm.host(new Hashing(copy, null), hashClass(realm));
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Implements {@code createHmac(algorithm, key[, options])}.
   *
   * @throws NodeError if the algorithm is not supported
   */
  static Object createHmac(ByteRealm realm, Object self, CallArguments args) {
    String name = args.text(0, "hmac");
    byte[] key = KeyObjects.secret(args.at(1), args.at(2));
    DigestAlgorithm digest = DigestAlgorithm.required(name);
    realm.spend(SETUP + 3L * key.length);
    return realm.host(new Hashing(null, digest.mac(key)), hmacClass(realm));
  }

  /** State of a {@code Hash}, which has a digest, or of an {@code Hmac}, which has a MAC. */
  private static final class Hashing {
    private final MessageDigest digest;
    private final Mac mac;
    private boolean finished;

    private Hashing(MessageDigest digest, Mac mac) {
      this.digest = digest;
      this.mac = mac;
    }

    /** Returns this state, unless its result was returned before. */
    private Hashing open() {
      if (finished) {
        throw NodeError.error("ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
      }
      return this;
    }

    private void update(ByteView data) {
      if (mac == null) {
        digest.update(data.array, data.offset, data.length);
      } else {
        mac.update(data.array, data.offset, data.length);
      }
    }

    /**
     * Returns the result. That of a second call is empty if the method is that of HMACs, as in
     * Node.js.
     */
    private byte[] finish(boolean byHmac) {
      if (finished && byHmac) {
        return new byte[0];
      }
      open();
      finished = true;
      return mac == null ? digest.digest() : mac.doFinal();
    }
  }

  /**
   * Implements {@code pbkdf2Sync(password, salt, iterations, keylen, digest)} (RFC 8018, section
   * 5.2).
   */
  static Object pbkdf2(ByteRealm realm, Object self, CallArguments args)
      throws GeneralSecurityException {
    String name = args.text(4, "digest");
    byte[] password = CryptoInputs.bytes(args.at(0), "password");
    byte[] salt = CryptoInputs.bytes(args.at(1), "salt");
    int rounds = CallArguments.whole(args.at(2), "iterations", 1, Integer.MAX_VALUE);
    int length = CallArguments.whole(args.at(3), "keylen", 0, Integer.MAX_VALUE);
    DigestAlgorithm digest = DigestAlgorithm.required(name);
    realm.spend(length);
    byte[] key = new byte[length];
    fill(realm, digest.mac(password), salt, rounds, key);
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
    DigestAlgorithm digest = DigestAlgorithm.required(name);
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
