package io.tokenvault.engine.worker.node.crypto;

import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;

/**
 * Salt lengths of RSASSA-PSS signatures (RFC 8017, section 9.1).
 *
 * <p>Node.js detects the salt length of a signature on verification, while the JDK requires it in
 * advance. This class only determines the length; the signature itself is verified by the JDK.
 */
final class PssParameters {
  /** The last byte of an encoded message. */
  private static final int TRAILER = 0xbc;

  private PssParameters() {}

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
}
