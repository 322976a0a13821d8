package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.NodeError;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES-GCM as a stream (NIST SP 800-38D).
 *
 * <p>Each call returns as many bytes as it takes; on decryption before the tag is verified, as
 * Node.js does. The JDK withholds decrypted bytes until then, so the output is computed in counter
 * mode. Its GCM cipher, always in the direction of encryption, processes the plaintext to compute
 * the tag.
 */
final class GcmMode implements CipherMode {
  private static final byte[] NONE = {};
  private static final int TAG_BITS = 128;

  private final boolean encrypt;

  /** Computes the output in counter mode. */
  private final Cipher stream;

  /** Computes the tag. */
  private final Cipher tagging;

  private final int tagLength;

  /** The tag; null until the end of an encryption. */
  private byte[] tag;

  /** The tag to expect; null if it was not set. */
  private byte[] expected;

  private GcmMode(boolean encrypt, Cipher stream, Cipher tagging, int tagLength) {
    this.encrypt = encrypt;
    this.stream = stream;
    this.tagging = tagging;
    this.tagLength = tagLength;
  }

  /**
   * Starts a stream.
   *
   * @param iv the initialization vector, of any length except 0
   * @param tagLength the length of the tag on encryption, in bytes
   * @throws GeneralSecurityException if the JDK rejects the key
   */
  static GcmMode start(boolean encrypt, byte[] key, byte[] iv, int tagLength)
      throws GeneralSecurityException {
    SecretKeySpec secret = new SecretKeySpec(key, "AES");
    Cipher stream = Cipher.getInstance("AES/CTR/NoPadding");
    stream.init(Cipher.ENCRYPT_MODE, secret, new IvParameterSpec(counter(secret, iv)));
    return new GcmMode(encrypt, stream, tagging(secret, iv), tagLength);
  }

  /** Returns a GCM cipher in the direction of encryption. */
  private static Cipher tagging(SecretKeySpec secret, byte[] iv) throws GeneralSecurityException {
    Cipher tagging = Cipher.getInstance("AES/GCM/NoPadding");
    tagging.init(Cipher.ENCRYPT_MODE, secret, new GCMParameterSpec(TAG_BITS, iv));
    return tagging;
  }

  /**
   * Returns the counter of the first block. For an initialization vector of 12 bytes it follows
   * from the definition; otherwise it is derived from the tag of an empty message, which is the
   * encrypted counter before that of the first block.
   */
  private static byte[] counter(SecretKeySpec secret, byte[] iv) throws GeneralSecurityException {
    byte[] counter;
    if (iv.length == 12) {
      counter = Arrays.copyOf(iv, 16);
      counter[15] = 1;
    } else {
      Cipher plain = Cipher.getInstance("AES/ECB/NoPadding");
      plain.init(Cipher.DECRYPT_MODE, secret);
      counter = plain.doFinal(tagging(secret, iv).doFinal());
    }
    for (int i = 15; i >= 12 && ++counter[i] == 0; i--) {
      continue;
    }
    return counter;
  }

  /** Adds data that is authenticated and not encrypted. */
  void authenticate(byte[] data) {
    tagging.updateAAD(data);
  }

  /** Sets the tag to expect. */
  void expect(byte[] expectedTag) {
    expected = expectedTag.clone();
  }

  /** Returns whether a tag to expect has been set. */
  boolean expects() {
    return expected != null;
  }

  @Override
  public byte[] update(ByteView input) {
    byte[] output = stream.update(input.array, input.offset, input.length);
    if (output == null) {
      return NONE;
    }
    if (encrypt) {
      tagging.update(input.array, input.offset, input.length);
    } else {
      tagging.update(output);
    }
    return output;
  }

  /**
   * Computes the tag, or verifies it in constant time.
   *
   * @throws NodeError if the tag is wrong or was not set
   */
  @Override
  public byte[] finish() throws GeneralSecurityException {
    byte[] all = tagging.doFinal();
    byte[] whole = Arrays.copyOfRange(all, all.length - TAG_BITS / 8, all.length);
    if (encrypt) {
      tag = Arrays.copyOf(whole, tagLength);
    } else if (expected == null
        || !MessageDigest.isEqual(expected, Arrays.copyOf(whole, expected.length))) {
      throw NodeError.error(null, "Unsupported state or unable to authenticate data");
    }
    return NONE;
  }

  /** Returns the tag; null before the end. */
  byte[] tag() {
    return tag == null ? null : tag.clone();
  }
}
