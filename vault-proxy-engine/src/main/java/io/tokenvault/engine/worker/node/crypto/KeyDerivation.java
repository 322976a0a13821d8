package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.NodeError;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.Undefined;
import org.mozilla.javascript.typedarrays.NativeArrayBuffer;

/**
 * The functions {@code pbkdf2} and {@code hkdf}.
 *
 * <p>Both are implemented on HMAC, since PBKDF2 of the JDK accepts passwords of characters only,
 * while Node.js accepts any bytes.
 */
final class KeyDerivation {
  /** The number of rounds between two checks of the limits. */
  private static final int CHUNK = 1000;

  /** The cost of one round, in units of work. */
  private static final long ROUND = 300;

  private KeyDerivation() {}

  /** Implements {@code pbkdf2Sync(password, salt, iterations, keylen, digest)}. */
  static Object pbkdf2Sync(ByteRealm realm, Object self, CallArguments args) {
    return derive(realm, args);
  }

  /** Implements {@code pbkdf2}, which computes the key immediately and calls back later. */
  static Object pbkdf2(ByteRealm realm, Object self, CallArguments args) {
    Callable callback = args.function(5, "callback");
    realm.later(callback, null, derive(realm, args));
    return Undefined.instance;
  }

  /** Derives a key by PBKDF2 (RFC 8018, section 5.2). */
  private static Object derive(ByteRealm realm, CallArguments args) {
    String name = args.text(4, "digest");
    byte[] password = CryptoInputs.bytes(args.at(0), "password");
    byte[] salt = CryptoInputs.bytes(args.at(1), "salt");
    int rounds = CallArguments.whole(args.at(2), "iterations", 1, Integer.MAX_VALUE);
    int length = CallArguments.whole(args.at(3), "keylen", 0, Integer.MAX_VALUE);
    DigestAlgorithms digest = digest(name);
    realm.spend(length);
    byte[] key = new byte[length];
    try {
      fill(realm, digest.mac(password), salt, rounds, key);
    } catch (GeneralSecurityException e) {
      throw CipherFunctions.failed(e);
    }
    return realm.buffer(key);
  }

  /** Implements {@code hkdfSync(digest, ikm, salt, info, keylen)}. */
  static Object hkdfSync(ByteRealm realm, Object self, CallArguments args) {
    return expand(realm, args);
  }

  /** Implements {@code hkdf}, which computes the key immediately and calls back later. */
  static Object hkdf(ByteRealm realm, Object self, CallArguments args) {
    Callable callback = args.function(5, "callback");
    realm.later(callback, null, expand(realm, args));
    return Undefined.instance;
  }

  /** Derives a key by HKDF (RFC 5869), which is limited to 255 blocks. */
  private static Object expand(ByteRealm realm, CallArguments args) {
    String name = args.text(0, "digest");
    byte[] secret = KeyObjects.secret(args.at(1), Undefined.instance);
    byte[] salt = CryptoInputs.bytes(args.at(2), "salt");
    byte[] info = CryptoInputs.bytes(args.at(3), "info");
    int length = CallArguments.whole(args.at(4), "length", 0, Integer.MAX_VALUE);
    DigestAlgorithms digest = digest(name);
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

  /**
   * Returns a hash function.
   *
   * @throws NodeError if there is none with this name
   */
  private static DigestAlgorithms digest(String name) {
    DigestAlgorithms digest = DigestAlgorithms.named(name);
    if (digest == null) {
      throw NodeError.type("ERR_CRYPTO_INVALID_DIGEST", "Invalid digest: " + name);
    }
    return digest;
  }

  /** Computes the blocks of PBKDF2. */
  private static void fill(ByteRealm realm, Mac mac, byte[] salt, int rounds, byte[] key)
      throws GeneralSecurityException {
    int size = mac.getMacLength();
    for (int block = 1, filled = 0; filled < key.length; block++, filled += size) {
      mac.update(salt);
      byte[] index = {
        (byte) (block >> 24), (byte) (block >> 16), (byte) (block >> 8), (byte) block
      };
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
