package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import io.tokenvault.engine.worker.node.buffer.LazyMembers;
import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.HostObject;
import io.tokenvault.engine.worker.node.script.NodeError;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.Arrays;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.Undefined;
import org.mozilla.javascript.typedarrays.NativeArrayBufferView;

/**
 * Signs and verifies with the providers of the JDK: RSA in PKCS #1 v1.5 and PSS, ECDSA and Ed25519.
 */
final class Signer {
  /** The last byte of an encoded message. */
  private static final int TRAILER = 0xbc;

  private Signer() {}

  /**
   * Signs data. Unsuitable keys and options throw a {@code NodeError}.
   *
   * @param digest the hash function, ignored for Ed25519
   * @param key a private key
   * @return the signature; for EC keys in the format that the options name
   */
  static byte[] sign(
      ByteRealm realm,
      DigestAlgorithms digest,
      KeyMaterial key,
      SignatureOptions options,
      ByteView data) {
    realm.spend(key.privateCost() + 3L * data.length);
    try {
      int salt = key.isRsa() && options.isPss() ? salt(key, digest, options) : 0;
      Signature signature = signature(digest, key, options, salt);
      signature.initSign(key.privateKey());
      signature.update(data.array, data.offset, data.length);
      return signature.sign();
    } catch (InvalidAlgorithmParameterException e) {
      throw SignatureOptions.invalidSalt();
    } catch (GeneralSecurityException e) {
      throw CipherFunctions.failed(e);
    }
  }

  /** Returns the salt length for signing. */
  private static int salt(KeyMaterial key, DigestAlgorithms digest, SignatureOptions options) {
    int asked = options.saltLength(digest);
    int salt = asked == SignatureOptions.SALT_AUTO ? longestSalt(key.bits(), digest) : asked;
    if (salt < 0) {
      throw SignatureOptions.invalidSalt();
    }
    return salt;
  }

  /**
   * Verifies a signature.
   *
   * @param key a public or private key
   * @param bytes the signature
   * @return false if the signature is wrong or malformed, or the key is not suitable for it
   */
  static boolean verify(
      ByteRealm realm,
      DigestAlgorithms digest,
      KeyMaterial key,
      SignatureOptions options,
      ByteView data,
      byte[] bytes) {
    realm.spend(2 * key.publicCost() + 3L * data.length);
    try {
      int salt = key.isRsa() && options.isPss() ? saltOf(key, digest, options, bytes) : 0;
      if (salt < 0) {
        return false;
      }
      Signature signature = signature(digest, key, options, salt);
      signature.initVerify(key.publicKey());
      signature.update(data.array, data.offset, data.length);
      return signature.verify(bytes);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /** Returns the salt length of a signature to verify; -1 if it is not a PSS signature. */
  private static int saltOf(
      KeyMaterial key, DigestAlgorithms digest, SignatureOptions options, byte[] bytes) {
    int asked = options.saltLength(digest);
    return asked == SignatureOptions.SALT_AUTO
        ? saltLength((RSAPublicKey) key.publicKey(), digest, bytes)
        : asked;
  }

  /** Returns the signature algorithm of the JDK for a key. */
  private static Signature signature(
      DigestAlgorithms digest, KeyMaterial key, SignatureOptions options, int salt)
      throws GeneralSecurityException {
    if (key.isEc()) {
      String format = options.isP1363() ? "inP1363Format" : "";
      return Signature.getInstance(digest.inSignature() + "withECDSA" + format);
    }
    if (!key.isRsa()) {
      return Signature.getInstance("Ed25519");
    }
    if (!options.isPss()) {
      return Signature.getInstance(digest.inSignature() + "withRSA");
    }
    Signature pss = Signature.getInstance("RSASSA-PSS");
    String name = digest.digestName();
    pss.setParameter(new PSSParameterSpec(name, "MGF1", new MGF1ParameterSpec(name), salt, 1));
    return pss;
  }

  /**
   * Returns the greatest salt length for a key; negative if the key is too small for the hash
   * function.
   */
  static int longestSalt(int modulusBits, DigestAlgorithms digest) {
    return encodedLength(modulusBits) - digest.bytes() - 2;
  }

  /** Returns the length of the encoded message, in bytes. */
  private static int encodedLength(int modulusBits) {
    return (modulusBits - 1 + 7) / 8;
  }

  /** Returns the salt length of a signature; -1 if it is not a PSS signature of this key. */
  static int saltLength(RSAPublicKey key, DigestAlgorithms digest, byte[] signature) {
    BigInteger message =
        new BigInteger(1, signature).modPow(key.getPublicExponent(), key.getModulus());
    int bits = key.getModulus().bitLength();
    int length = encodedLength(bits);
    if (message.bitLength() > bits - 1 || length < digest.bytes() + 2) {
      return -1;
    }
    byte[] encoded = fixed(message, length);
    int masked = length - digest.bytes() - 1;
    if ((encoded[length - 1] & 0xff) != TRAILER) {
      return -1;
    }
    byte[] seed = Arrays.copyOfRange(encoded, masked, length - 1);
    byte[] block = unmasked(Arrays.copyOf(encoded, masked), seed, digest);
    block[0] &= (byte) (0xff >> (8 * length - (bits - 1)));
    return afterOne(block);
  }

  /** Returns a number in a fixed number of bytes. */
  private static byte[] fixed(BigInteger number, int length) {
    byte[] bytes = number.toByteArray();
    byte[] fixed = new byte[length];
    int count = Math.min(bytes.length, length);
    System.arraycopy(bytes, bytes.length - count, fixed, length - count, count);
    return fixed;
  }

  /** Removes the mask of the data block by MGF1 (RFC 8017, appendix B.2.1). */
  private static byte[] unmasked(byte[] block, byte[] seed, DigestAlgorithms digest) {
    MessageDigest hash = digest.digest();
    for (int i = 0; i < block.length; ) {
      int counter = i / digest.bytes();
      hash.update(seed);
      byte[] mask =
          hash.digest(
              new byte[] {
                (byte) (counter >> 24),
                (byte) (counter >> 16),
                (byte) (counter >> 8),
                (byte) counter
              });
      for (int m = 0; m < mask.length && i < block.length; m++, i++) {
        block[i] ^= mask[m];
      }
    }
    return block;
  }

  /**
   * Returns the length of the salt, which follows zeros and a byte 1; -1 if there is no such byte.
   */
  private static int afterOne(byte[] block) {
    int i = 0;
    while (i < block.length && block[i] == 0) {
      i++;
    }
    return i < block.length && block[i] == 1 ? block.length - i - 1 : -1;
  }

  /**
   * Options of a signature, from the object that contains the key. For any other form of key they
   * have their defaults.
   */
  static final class SignatureOptions {
    /** The padding RSASSA-PKCS1-v1_5. */
    static final int PKCS1 = 1;

    /** The padding RSASSA-PSS. */
    static final int PSS = 6;

    /** The salt length of the hash function. */
    static final int SALT_OF_DIGEST = -1;

    /** The greatest salt length for signing, and any salt length for verifying. */
    static final int SALT_AUTO = -2;

    private final int padding;
    private final int saltLength;

    /** Whether EC signatures have the format of IEEE P1363 instead of DER. */
    private final boolean p1363;

    private SignatureOptions(int padding, int saltLength, boolean p1363) {
      this.padding = padding;
      this.saltLength = saltLength;
      this.p1363 = p1363;
    }

    /**
     * Reads the options {@code padding}, {@code saltLength} and {@code dsaEncoding} of a key
     * argument.
     *
     * @throws NodeError if one has an invalid value
     */
    static SignatureOptions of(Object value) {
      boolean described =
          value instanceof Scriptable
              && !(value instanceof HostObject)
              && !(value instanceof NativeArrayBufferView)
              && !Undefined.isUndefined(value);
      if (!described) {
        return new SignatureOptions(PKCS1, SALT_AUTO, false);
      }
      int padding = whole(value, "padding", PKCS1);
      int saltLength = whole(value, "saltLength", SALT_AUTO);
      return new SignatureOptions(padding, saltLength, p1363(value));
    }

    /**
     * Returns an option that must be an integer.
     *
     * @param otherwise the value if the option is missing
     */
    private static int whole(Object options, String name, int otherwise) {
      Object value = LazyMembers.property(options, name);
      if (value == null || Undefined.isUndefined(value)) {
        return otherwise;
      }
      double number = CallArguments.isNumber(value) ? ((Number) value).doubleValue() : Double.NaN;
      if (number != (int) number) {
        throw NodeError.option(name, value);
      }
      return (int) number;
    }

    /** Returns whether the option {@code dsaEncoding} asks for the format of IEEE P1363. */
    private static boolean p1363(Object options) {
      Object value = LazyMembers.property(options, "dsaEncoding");
      String name = value instanceof CharSequence ? value.toString() : "";
      boolean known = Undefined.isUndefined(value) || name.equals("der");
      if (!known && !name.equals("ieee-p1363")) {
        throw NodeError.option("dsaEncoding", value);
      }
      return !known;
    }

    boolean isP1363() {
      return p1363;
    }

    /**
     * Returns whether an RSA signature uses PSS.
     *
     * @throws NodeError if the padding is not supported for signatures
     */
    boolean isPss() {
      if (padding != PKCS1 && padding != PSS) {
        throw NodeError.openSsl(
            "1C8000A5", "Provider routines", "illegal or unsupported padding mode");
      }
      return padding == PSS;
    }

    /**
     * Returns the salt length in bytes, or {@link #SALT_AUTO}.
     *
     * @throws NodeError if it is negative and not one of the constants
     */
    int saltLength(DigestAlgorithms digest) {
      if (saltLength < SALT_AUTO) {
        throw invalidSalt();
      }
      return saltLength == SALT_OF_DIGEST ? digest.bytes() : saltLength;
    }

    /** Returns the error of OpenSSL for an invalid salt length. */
    static NodeError invalidSalt() {
      return NodeError.openSsl("1C800070", "Provider routines", "invalid salt length");
    }
  }
}
