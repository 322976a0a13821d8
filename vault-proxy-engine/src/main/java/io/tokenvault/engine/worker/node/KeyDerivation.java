package io.tokenvault.engine.worker.node;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import org.mozilla.javascript.Undefined;

/** {@code pbkdf2}: the JDK's own takes passwords of characters only, Node.js any bytes. */
final class KeyDerivation {
  /** Rounds between two questions to the meter. */
  private static final int CHUNK = 1000;

  private static final long ROUND = 300;

  private KeyDerivation() {}

  static Object pbkdf2Sync(ByteRealm realm, Object self, Args args) {
    return derive(realm, args);
  }

  static Object pbkdf2(ByteRealm realm, Object self, Args args) {
    boolean short5 = args.isFunction(4);
    int callback = short5 ? 4 : 5;
    args.function(callback, "callback");
    Object key = derive(realm, args);
    realm.later(args.function(callback, "callback"), null, key);
    return Undefined.instance;
  }

  private static Object derive(ByteRealm realm, Args args) {
    String name = args.text(4, "digest");
    byte[] password = Inputs.bytes(args.at(0), "password");
    byte[] salt = Inputs.bytes(args.at(1), "salt");
    int rounds = Args.whole(args.at(2), "iterations", 1, Integer.MAX_VALUE);
    int length = Args.whole(args.at(3), "keylen", 0, Integer.MAX_VALUE);
    Digests digest = Digests.named(name);
    if (digest == null) {
      throw NodeError.type("ERR_CRYPTO_INVALID_DIGEST", "Invalid digest: " + name);
    }
    realm.spend(length);
    byte[] key = new byte[length];
    try {
      fill(realm, digest.mac(password), salt, rounds, key);
    } catch (GeneralSecurityException e) {
      throw Ciphers.failed(e);
    }
    return realm.buffer(key);
  }

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
