package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.NodeError;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Cipher algorithm, known by its name in OpenSSL: AES or Triple DES with a key length and a mode.
 *
 * @param algorithm the algorithm, as the JDK names it
 * @param keyLength the length of the key, in bytes
 * @param mode the mode, as the JDK names it
 */
record CipherSpec(String algorithm, int keyLength, String mode) {
  private static final String AES = "AES";

  /** Names such as {@code aes-256-cbc}; {@code aes256} stands for CBC mode. */
  private static final Pattern NAME =
      Pattern.compile(
          "aes-?(128|192|256)(?:-(cbc|ctr|ecb|gcm|wrap))?|(?:id-)?aes(128|192|256)-(gcm|wrap)");

  /** Names of Triple DES with two or three keys; without a mode it is ECB. */
  private static final Pattern TRIPLE_DES = Pattern.compile("des-ede(3?)(?:-(cbc|ecb))?");

  /**
   * Returns the algorithm of a name in any case.
   *
   * @throws NodeError if it is not supported
   */
  static CipherSpec named(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    Matcher tripleDes = TRIPLE_DES.matcher(lower.equals("des3") ? "des-ede3-cbc" : lower);
    if (tripleDes.matches()) {
      String mode = "cbc".equals(tripleDes.group(2)) ? "CBC" : "ECB";
      return new CipherSpec("DESede", tripleDes.group(1).isEmpty() ? 16 : 24, mode);
    }
    Matcher match = NAME.matcher(lower);
    if (!match.matches()) {
      throw NodeError.error("ERR_CRYPTO_UNKNOWN_CIPHER", "Unknown cipher");
    }
    int group = match.group(1) == null ? 3 : 1;
    String mode = match.group(group + 1) == null ? "cbc" : match.group(group + 1);
    int keyLength = Integer.parseInt(match.group(group)) / 8;
    return new CipherSpec(AES, keyLength, mode.toUpperCase(Locale.ROOT));
  }

  /** Returns the names that {@code getCiphers} lists. */
  static Object[] list() {
    return List.of(
            ("aes-128-cbc aes-128-ctr aes-128-ecb aes-128-gcm"
                    + " aes-192-cbc aes-192-ctr aes-192-ecb aes-192-gcm"
                    + " aes-256-cbc aes-256-ctr aes-256-ecb aes-256-gcm"
                    + " des-ede des-ede-cbc des-ede-ecb des-ede3 des-ede3-cbc des-ede3-ecb des3"
                    + " aes128 aes192 aes256 id-aes128-GCM id-aes192-GCM id-aes256-GCM"
                    + " aes128-wrap aes192-wrap aes256-wrap"
                    + " id-aes128-wrap id-aes192-wrap id-aes256-wrap")
                .split(" "))
        .toArray();
  }

  boolean isGcm() {
    return mode.equals("GCM");
  }

  boolean wrapsKeys() {
    return mode.equals("WRAP");
  }

  /** Returns whether the mode works on whole blocks and therefore needs padding. */
  boolean isBlockwise() {
    return mode.equals("CBC") || mode.equals("ECB");
  }

  /**
   * Checks the lengths of the key and the initialization vector.
   *
   * @throws NodeError if one does not fit the algorithm
   */
  void check(byte[] key, byte[] iv) {
    if (key.length != keyLength) {
      throw NodeError.range("ERR_CRYPTO_INVALID_KEYLEN", "Invalid key length");
    }
    boolean fits = isGcm() ? iv.length > 0 : iv.length == vectorLength();
    if (!fits) {
      throw NodeError.type("ERR_CRYPTO_INVALID_IV", "Invalid initialization vector");
    }
  }

  private int vectorLength() {
    return switch (mode) {
      case "ECB" -> 0;
      case "WRAP" -> 8;
      default -> algorithm.equals(AES) ? BlockMode.BLOCK : 8;
    };
  }

  /** Returns the cost of encrypting bytes, beyond that of any operation on them. */
  long furtherCost(int length) {
    return algorithm.equals(AES) ? 0 : 20L * length;
  }

  /** Returns a key for the JDK, whose Triple DES takes three keys: the first is also the third. */
  private SecretKeySpec secret(byte[] key) {
    byte[] whole = Arrays.copyOf(key, algorithm.equals(AES) ? key.length : 24);
    System.arraycopy(key, 0, whole, key.length, whole.length - key.length);
    return new SecretKeySpec(whole, algorithm);
  }

  /** A cipher in operation, from the key to the last block. */
  interface CipherMode {
    /**
     * Encrypts or decrypts a part of the data.
     *
     * @return the output so far, which may be empty
     */
    byte[] update(ByteView input) throws GeneralSecurityException;

    /**
     * Ends the operation. A wrong padding, length or authentication tag throws a {@code NodeError}.
     *
     * @return the rest of the output
     */
    byte[] finish() throws GeneralSecurityException;
  }

  /**
   * CBC, ECB or CTR mode, without authentication, or key wrapping by AES (RFC 3394), which takes
   * all of the data at once.
   */
  static final class BlockMode implements CipherMode {
    private static final int BLOCK = 16;
    private static final byte[] NONE = {};

    private final Cipher cipher;

    private final boolean wrapsKeys;

    /** Whether padding is removed at the end, that is, on decryption with padding. */
    private final boolean unpads;

    /** The length of the input so far. */
    private long length;

    /**
     * Starts the encryption or decryption of a stream.
     *
     * @param iv the initialization vector; empty for ECB
     * @param padding whether to use PKCS #7 padding, if the mode works on blocks
     * @throws GeneralSecurityException if the JDK rejects the key or the initialization vector
     */
    BlockMode(CipherSpec spec, boolean encrypt, byte[] key, byte[] iv, boolean padding)
        throws GeneralSecurityException {
      boolean pads = padding && spec.isBlockwise();
      unpads = pads && !encrypt;
      wrapsKeys = spec.wrapsKeys();
      String mode = wrapsKeys ? "KW" : spec.mode();
      String padded = pads ? "/PKCS5Padding" : "/NoPadding";
      cipher = Cipher.getInstance(spec.algorithm() + "/" + mode + padded);
      int direction = encrypt ? Cipher.ENCRYPT_MODE : Cipher.DECRYPT_MODE;
      SecretKeySpec secret = spec.secret(key);
      if (iv.length == 0) {
        cipher.init(direction, secret);
      } else {
        cipher.init(direction, secret, new IvParameterSpec(iv));
      }
    }

    /** Key wrapping throws if the length is not a multiple of eight bytes, or data was changed. */
    @Override
    public byte[] update(ByteView input) throws GeneralSecurityException {
      if (wrapsKeys) {
        return cipher.doFinal(input.array, input.offset, input.length);
      }
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
      if (wrapsKeys) {
        return NONE;
      }
      if (unpads && (length == 0 || length % cipher.getBlockSize() != 0)) {
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

  /**
   * AES-GCM as a stream (NIST SP 800-38D).
   *
   * <p>Each call returns as many bytes as it takes; on decryption before the tag is verified, as
   * Node.js does. The JDK withholds decrypted bytes until then, so the output is computed in
   * counter mode. Its GCM cipher, always in the direction of encryption, processes the plaintext to
   * compute the tag.
   */
  static final class GcmMode implements CipherMode {
    private static final byte[] NONE = {};
    private static final int TAG_BITS = 128;

    /** Where the 32 bits that count begin. */
    private static final int COUNTER_AT = 12;

    private final boolean encrypt;

    private final SecretKeySpec secret;

    /** The counter of the next block from which {@link #stream} starts or starts again. */
    private final byte[] counter;

    /**
     * Computes the output in counter mode, up to the block whose counter is 0: the JDK counts with
     * all of the 128 bits, GCM only with the last 32 (section 6.5).
     */
    private final Cipher stream;

    /** The number of bytes until the counter is 0. */
    private long untilWrap;

    /** Computes the tag. */
    private final Cipher tagging;

    private final int tagLength;

    /** The tag; null until the end of an encryption. */
    private byte[] tag;

    /** The tag to expect; null if it was not set. */
    private byte[] expected;

    /**
     * Starts a stream.
     *
     * @param iv the initialization vector, of any length except 0
     * @param tagLength the length of the tag on encryption, in bytes
     * @throws GeneralSecurityException if the JDK rejects the key
     */
    GcmMode(boolean encrypt, byte[] key, byte[] iv, int tagLength) throws GeneralSecurityException {
      this.encrypt = encrypt;
      this.tagLength = tagLength;
      secret = new SecretKeySpec(key, "AES");
      counter = counter(secret, iv);
      stream = Cipher.getInstance("AES/CTR/NoPadding");
      stream.init(Cipher.ENCRYPT_MODE, secret, new IvParameterSpec(counter));
      long low = Integer.toUnsignedLong(ByteBuffer.wrap(counter).getInt(COUNTER_AT));
      untilWrap = ((1L << Integer.SIZE) - low) * BlockMode.BLOCK;
      tagging = tagging(secret, iv);
    }

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

    void expect(byte[] expectedTag) {
      expected = expectedTag.clone();
    }

    boolean expects() {
      return expected != null;
    }

    @Override
    public byte[] update(ByteView input) throws GeneralSecurityException {
      byte[] output = stream(input);
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

    private byte[] stream(ByteView input) throws GeneralSecurityException {
      if (input.length < untilWrap) {
        untilWrap -= input.length;
        return stream.update(input.array, input.offset, input.length);
      }
      int before = (int) untilWrap;
      byte[] output = new byte[input.length];
      stream.update(input.array, input.offset, before, output);
      Arrays.fill(counter, COUNTER_AT, counter.length, (byte) 0);
      stream.init(Cipher.ENCRYPT_MODE, secret, new IvParameterSpec(counter));
      untilWrap = Long.MAX_VALUE;
      stream.update(input.array, input.offset + before, input.length - before, output, before);
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
}
