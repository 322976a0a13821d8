package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.NodeError;
import java.security.GeneralSecurityException;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** AES in CBC, ECB or CTR mode, without authentication. */
final class BlockMode implements CipherMode {
  private static final int BLOCK = 16;
  private static final byte[] NONE = {};

  private final Cipher cipher;

  /** Whether padding is removed at the end, that is, on decryption with padding. */
  private final boolean unpads;

  /** The length of the input so far. */
  private long length;

  private BlockMode(Cipher cipher, boolean unpads) {
    this.cipher = cipher;
    this.unpads = unpads;
  }

  /**
   * Starts the encryption or decryption of a stream.
   *
   * @param iv the initialization vector; empty for ECB
   * @param padding whether to use PKCS #7 padding, if the mode works on blocks
   * @throws GeneralSecurityException if the JDK rejects the key or the initialization vector
   */
  static BlockMode start(CipherSpec spec, boolean encrypt, byte[] key, byte[] iv, boolean padding)
      throws GeneralSecurityException {
    boolean pads = padding && spec.isBlockwise();
    Cipher cipher =
        Cipher.getInstance("AES/" + spec.mode() + (pads ? "/PKCS5Padding" : "/NoPadding"));
    int direction = encrypt ? Cipher.ENCRYPT_MODE : Cipher.DECRYPT_MODE;
    SecretKeySpec secret = new SecretKeySpec(key, "AES");
    if (iv.length == 0) {
      cipher.init(direction, secret);
    } else {
      cipher.init(direction, secret, new IvParameterSpec(iv));
    }
    return new BlockMode(cipher, pads && !encrypt);
  }

  @Override
  public byte[] update(ByteView input) {
    length += input.length;
    byte[] output = cipher.update(input.array, input.offset, input.length);
    return output == null ? NONE : output;
  }

  /**
   * Returns the last block.
   *
   * @throws NodeError with the error of OpenSSL if the length or the padding is wrong
   */
  @Override
  public byte[] finish() throws GeneralSecurityException {
    if (unpads && (length == 0 || length % BLOCK != 0)) {
      throw wrongLength();
    }
    try {
      return cipher.doFinal();
    } catch (IllegalBlockSizeException e) {
      throw wrongLength();
    } catch (BadPaddingException e) {
      throw NodeError.openSsl("1C800064", "Provider routines", "bad decrypt");
    }
  }

  /** Returns the error of OpenSSL for input that is not a multiple of the block size. */
  private static NodeError wrongLength() {
    return NodeError.openSsl("1C80006B", "Provider routines", "wrong final block length");
  }
}
