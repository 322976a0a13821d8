package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.NodeError;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.Arrays;
import org.mozilla.javascript.Undefined;

/**
 * Signs and verifies with the providers of the JDK: RSA in PKCS #1 v1.5 and PSS, ECDSA and Ed25519.
 */
final class Signer {
  /** The padding RSASSA-PKCS1-v1_5. */
  private static final int PKCS1 = 1;

  /** The padding RSASSA-PSS. */
  private static final int PSS = 6;

  /** The salt length of the hash function. */
  private static final int SALT_OF_DIGEST = -1;

  /** The greatest salt length for signing, and any salt length for verifying. */
  private static final int SALT_AUTO = -2;

  /** The last byte of a message that is encoded for PSS. */
  private static final int TRAILER = 0xbc;

  private final KeyMaterial key;
  private final int padding;
  private final int saltLength;

  /** Whether EC signatures have the format of IEEE P1363 instead of DER. */
  private final boolean p1363;

  /**
   * Creates a signer with the options {@code padding}, {@code saltLength} and {@code dsaEncoding}.
   *
   * @param options the argument with the key; its options have their defaults if it is the key
   *     itself
   * @throws NodeError if an option has an invalid value
   */
  Signer(KeyMaterial key, Object options) {
    this.key = key;
    this.padding = whole(options, "padding", PKCS1);
    this.saltLength = whole(options, "saltLength", SALT_AUTO);
    this.p1363 = p1363(options);
  }

  /**
   * Returns an option that must be an integer.
   *
   * @param otherwise the value if the option is missing
   */
  private static int whole(Object options, String name, int otherwise) {
    Object value = KeyObjects.option(options, name);
    if (value == null || Undefined.isUndefined(value)) {
      return otherwise;
    }
    double number = CallArguments.isNumber(value) ? ((Number) value).doubleValue() : Double.NaN;
    if (number != (int) number) {
      throw NodeError.option(name, value);
    }
    return (int) number;
  }

  private static boolean p1363(Object options) {
    Object value = KeyObjects.option(options, "dsaEncoding");
    String name = value instanceof CharSequence ? value.toString() : "";
    boolean der = Undefined.isUndefined(value) || name.equals("der");
    if (!der && !name.equals("ieee-p1363")) {
      throw NodeError.option("dsaEncoding", value);
    }
    return !der;
  }

  /**
   * Signs data with the private key. Unsuitable keys and options throw a {@code NodeError}.
   *
   * @param digest the hash function, ignored for Ed25519
   */
  byte[] sign(ByteRealm realm, DigestAlgorithm digest, ByteView data)
      throws GeneralSecurityException {
    realm.spend(key.privateCost() + 3L * data.length);
    try {
      Signature signature = signature(digest, usesPss() ? longestOrChosenSalt(digest) : 0);
      signature.initSign(key.privateKey());
      signature.update(data.array, data.offset, data.length);
      return signature.sign();
    } catch (InvalidAlgorithmParameterException e) {
      throw invalidSalt();
    }
  }

  /**
   * Verifies a signature.
   *
   * @return false if the signature is wrong or malformed, or the key is not suitable for it
   */
  boolean verify(ByteRealm realm, DigestAlgorithm digest, ByteView data, byte[] bytes) {
    realm.spend(2 * key.publicCost() + 3L * data.length);
    try {
      int salt = usesPss() ? chosenSalt(digest) : 0;
      if (salt == SALT_AUTO) {
        salt = detectedSalt((RSAPublicKey) key.publicKey(), digest, bytes);
      }
      if (salt < 0) {
        return false;
      }
      Signature signature = signature(digest, salt);
      signature.initVerify(key.publicKey());
      signature.update(data.array, data.offset, data.length);
      return signature.verify(bytes);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private boolean usesPss() {
    if (key.isRsa() && padding != PKCS1 && padding != PSS) {
      throw NodeError.openSsl(
          "1C8000A5", "Provider routines", "illegal or unsupported padding mode");
    }
    return key.isRsa() && padding == PSS;
  }

  /** Returns the chosen salt length in bytes, or {@link #SALT_AUTO}. */
  private int chosenSalt(DigestAlgorithm digest) {
    if (saltLength < SALT_AUTO) {
      throw invalidSalt();
    }
    return saltLength == SALT_OF_DIGEST ? digest.bytes() : saltLength;
  }

  private int longestOrChosenSalt(DigestAlgorithm digest) {
    int chosen = chosenSalt(digest);
    int salt = chosen == SALT_AUTO ? encodedLength(key.bits()) - digest.bytes() - 2 : chosen;
    if (salt < 0) {
      throw invalidSalt();
    }
    return salt;
  }

  private static NodeError invalidSalt() {
    return NodeError.openSsl("1C800070", "Provider routines", "invalid salt length");
  }

  /** Returns the signature algorithm of the JDK for the key. */
  private Signature signature(DigestAlgorithm digest, int salt) throws GeneralSecurityException {
    if (key.isEc()) {
      String format = p1363 ? "inP1363Format" : "";
      return Signature.getInstance(digest.inSignature() + "withECDSA" + format);
    }
    if (!key.isRsa()) {
      return Signature.getInstance("Ed25519");
    }
    if (!usesPss()) {
      return Signature.getInstance(digest.inSignature() + "withRSA");
    }
    Signature pss = Signature.getInstance("RSASSA-PSS");
    String name = digest.digestName();
    pss.setParameter(new PSSParameterSpec(name, "MGF1", new MGF1ParameterSpec(name), salt, 1));
    return pss;
  }

  /** Returns the length of a message that is encoded for PSS (RFC 8017, section 9.1), in bytes. */
  private static int encodedLength(int modulusBits) {
    return (modulusBits - 1 + 7) / 8;
  }

  /**
   * Returns the salt length of a signature; -1 if it is not a PSS signature of this key.
   *
   * <p>Node.js detects it on verification, while the JDK requires it in advance. The signature
   * itself is verified by the JDK.
   */
  private static int detectedSalt(RSAPublicKey key, DigestAlgorithm digest, byte[] signature) {
    BigInteger message =
        new BigInteger(1, signature).modPow(key.getPublicExponent(), key.getModulus());
    int bits = key.getModulus().bitLength();
    int length = encodedLength(bits);
    if (message.bitLength() > bits - 1 || length < digest.bytes() + 2) {
      return -1;
    }
    byte[] encoded = octets(message, length);
    int masked = length - digest.bytes() - 1;
    if ((encoded[length - 1] & 0xff) != TRAILER) {
      return -1;
    }
    byte[] seed = Arrays.copyOfRange(encoded, masked, length - 1);
    byte[] block = unmasked(Arrays.copyOf(encoded, masked), seed, digest);
    block[0] &= (byte) (0xff >> (8 * length - (bits - 1)));
    return lengthAfterOne(block);
  }

  /** Returns a number that is not negative as an octet string (I2OSP, RFC 8017, section 4.1). */
  static byte[] octets(BigInteger number, int length) {
    byte[] bytes = number.toByteArray();
    byte[] octets = new byte[length];
    int count = Math.min(bytes.length, length);
    System.arraycopy(bytes, bytes.length - count, octets, length - count, count);
    return octets;
  }

  /** Removes the mask of the data block by MGF1 (RFC 8017, appendix B.2.1). */
  private static byte[] unmasked(byte[] block, byte[] seed, DigestAlgorithm digest) {
    MessageDigest hash = digest.digest();
    for (int i = 0; i < block.length; ) {
      hash.update(seed);
      byte[] mask = hash.digest(ByteBuffer.allocate(4).putInt(i / digest.bytes()).array());
      for (int m = 0; m < mask.length && i < block.length; m++, i++) {
        block[i] ^= mask[m];
      }
    }
    return block;
  }

  /**
   * Returns the length of the salt, which follows zeros and a byte 1; -1 if there is no such byte.
   */
  private static int lengthAfterOne(byte[] block) {
    int i = 0;
    while (i < block.length && block[i] == 0) {
      i++;
    }
    return i < block.length && block[i] == 1 ? block.length - i - 1 : -1;
  }
}
