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
 * AES-GCM as a stream: each call gives out as many bytes as it takes, deciphered ones before their
 * tag is checked, as Node.js does. The JDK keeps those back, so the bytes come from counter mode
 * and only the tag from its GCM, which sees the plain text in both directions.
 */
final class GcmMode implements CipherMode {
  private static final byte[] NONE = {};
  private static final int TAG_BITS = 128;

  private final boolean encrypt;
  private final Cipher stream;
  private final Cipher tagging;
  private final int tagLength;
  private byte[] tag;
  private byte[] expected;

  private GcmMode(boolean encrypt, Cipher stream, Cipher tagging, int tagLength) {
    this.encrypt = encrypt;
    this.stream = stream;
    this.tagging = tagging;
    this.tagLength = tagLength;
  }

  static GcmMode start(boolean encrypt, byte[] key, byte[] iv, int tagLength)
      throws GeneralSecurityException {
    SecretKeySpec secret = new SecretKeySpec(key, "AES");
    Cipher stream = Cipher.getInstance("AES/CTR/NoPadding");
    stream.init(Cipher.ENCRYPT_MODE, secret, new IvParameterSpec(counter(secret, iv)));
    return new GcmMode(encrypt, stream, tagging(secret, iv), tagLength);
  }

  private static Cipher tagging(SecretKeySpec secret, byte[] iv) throws GeneralSecurityException {
    Cipher tagging = Cipher.getInstance("AES/GCM/NoPadding");
    tagging.init(Cipher.ENCRYPT_MODE, secret, new GCMParameterSpec(TAG_BITS, iv));
    return tagging;
  }

  /** The counter of the first block. The tag of nothing is the enciphered counter before it. */
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

  void authenticate(byte[] data) {
    tagging.updateAAD(data);
  }

  void expect(byte[] expectedTag) {
    expected = expectedTag.clone();
  }

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

  /** Null until the end. */
  byte[] tag() {
    return tag == null ? null : tag.clone();
  }
}
