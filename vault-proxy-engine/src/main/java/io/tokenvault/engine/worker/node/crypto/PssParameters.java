package io.tokenvault.engine.worker.node.crypto;

import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;

/**
 * The length of a PSS signature's salt, which Node.js finds out by itself while the JDK wants to be
 * told. Only reads it; whether the signature is good is for the JDK to say.
 */
final class PssParameters {
  private static final int TRAILER = 0xbc;

  private PssParameters() {}

  /** The longest salt that a key of that size has room for; negative where it has none. */
  static int longestSalt(int modulusBits, DigestAlgorithms digest) {
    return encodedLength(modulusBits) - digest.bytes() - 2;
  }

  private static int encodedLength(int modulusBits) {
    return (modulusBits - 1 + 7) / 8;
  }

  /** -1 where it is no PSS signature of that key. */
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

  private static byte[] fixed(BigInteger number, int length) {
    byte[] bytes = number.toByteArray();
    byte[] fixed = new byte[length];
    int count = Math.min(bytes.length, length);
    System.arraycopy(bytes, bytes.length - count, fixed, length - count, count);
    return fixed;
  }

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

  private static int afterOne(byte[] block) {
    int i = 0;
    while (i < block.length && block[i] == 0) {
      i++;
    }
    return i < block.length && block[i] == 1 ? block.length - i - 1 : -1;
  }
}
