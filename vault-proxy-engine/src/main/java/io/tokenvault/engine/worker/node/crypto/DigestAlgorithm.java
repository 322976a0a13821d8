package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.script.NodeError;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Hash functions, known by their names in OpenSSL.
 *
 * <p>A name is matched in any case, and includes aliases such as {@code RSA-SHA256} and {@code
 * sha256WithRSAEncryption}.
 */
public enum DigestAlgorithm {
  MD5("MD5", 16),
  SHA1("SHA1", 20),
  SHA224("SHA224", 28),
  SHA256("SHA256", 32),
  SHA384("SHA384", 48),
  SHA512("SHA512", 64),
  SHA512_224("SHA512/224", 28),
  SHA512_256("SHA512/256", 32),
  SHA3_224("SHA3-224", 28),
  SHA3_256("SHA3-256", 32),
  SHA3_384("SHA3-384", 48),
  SHA3_512("SHA3-512", 64);

  /** The functions by all their names in lower case. */
  private static final Map<String, DigestAlgorithm> NAMES = names();

  /** The names that {@code getHashes} lists. */
  private static final Set<String> LISTED = listed();

  private final String digest;
  private final String inSignature;

  /** The length of the hash, in bytes. */
  private final int bytes;

  /**
   * Creates a hash function.
   *
   * @param inSignature the name in the JDK's names of signatures and HMACs
   * @param bytes the length of the hash
   */
  DigestAlgorithm(String inSignature, int bytes) {
    this.digest = inSignature.replaceFirst("^SHA(?!3-)", "SHA-");
    this.inSignature = inSignature;
    this.bytes = bytes;
  }

  /** Returns all names of the functions, including the aliases of OpenSSL. */
  private static Map<String, DigestAlgorithm> names() {
    Map<String, DigestAlgorithm> names = new LinkedHashMap<>();
    for (DigestAlgorithm each : values()) {
      String name = each.digest.toLowerCase(Locale.ROOT);
      names.put(name, each);
      String plain = name.startsWith("sha-") ? "sha" + name.substring(4) : name;
      names.put(plain.replace('/', '-'), each);
      names.put("rsa-" + plain, each);
      if (!plain.startsWith("sha3")) {
        names.put(plain.replace('/', '-') + "withrsaencryption", each);
      }
      if (plain.startsWith("sha") && !plain.equals("sha1") && !plain.startsWith("sha3")) {
        names.put("sha2-" + plain.substring(3), each);
      }
    }
    names.put("rsa-sha1-2", SHA1);
    names.put("ssl3-md5", MD5);
    names.put("ssl3-sha1", SHA1);
    return names;
  }

  /** Returns the names in the spelling of OpenSSL, sorted. */
  private static Set<String> listed() {
    Set<String> listed = new TreeSet<>();
    for (String name : NAMES.keySet()) {
      if (name.startsWith("rsa-")) {
        listed.add(name.toUpperCase(Locale.ROOT));
      } else if (name.endsWith("withrsaencryption")) {
        listed.add(name.replace("withrsaencryption", "WithRSAEncryption"));
      } else if (!name.startsWith("sha-") && !name.startsWith("sha2-")) {
        listed.add(name);
      }
    }
    return listed;
  }

  /** Returns the names that {@code getHashes} lists. */
  static Object[] list() {
    return LISTED.toArray();
  }

  /** Returns the function of a name in any case; null if there is none. */
  static DigestAlgorithm named(String name) {
    DigestAlgorithm exact = NAMES.get(name);
    return exact != null ? exact : NAMES.get(name.toLowerCase(Locale.ROOT));
  }

  /**
   * Returns the function of a name.
   *
   * @throws NodeError if there is none with this name
   */
  static DigestAlgorithm required(String name) {
    DigestAlgorithm digest = named(name);
    if (digest == null) {
      throw NodeError.type("ERR_CRYPTO_INVALID_DIGEST", "Invalid digest: " + name);
    }
    return digest;
  }

  /**
   * Loads the provider of the JDK, which takes longer than an invocation may. Call this when a
   * worker starts.
   */
  public static void warm() {
    SHA256.mac(new byte[1]).doFinal();
    SHA256.digest().digest();
  }

  MessageDigest digest() {
    try {
      return MessageDigest.getInstance(digest);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  Mac mac(byte[] key) {
    try {
      String name = "Hmac" + inSignature;
      Mac made = Mac.getInstance(name);
      // HMAC pads keys with zeros, so a single zero is equal to an empty key, which the JDK
      // rejects.
      made.init(new SecretKeySpec(key.length == 0 ? new byte[1] : key, name));
      return made;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the name of the digest in the JDK: SHA-256. */
  String digestName() {
    return digest;
  }

  /** Returns the name in the JDK's signature names: SHA256 in {@code SHA256withRSA}. */
  String inSignature() {
    return inSignature;
  }

  int bytes() {
    return bytes;
  }
}
