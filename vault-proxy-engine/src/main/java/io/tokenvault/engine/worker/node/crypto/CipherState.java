package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.PartialText;
import io.tokenvault.engine.worker.node.buffer.TextEncoding;
import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.NodeError;
import java.security.GeneralSecurityException;

/**
 * State of a {@code Cipheriv} or {@code Decipheriv}: its parameters, and the order in which its
 * methods may be called.
 *
 * <p>The cipher of the JDK is created on first use, since padding and additional data may be set
 * before.
 */
final class CipherState {
  /**
   * The tag length if the script has not chosen one: 16 bytes on encryption, any valid length on
   * decryption.
   */
  static final int ANY_TAG = -1;

  /** The length of a complete tag, in bytes. */
  private static final int WHOLE_TAG = 16;

  private final CipherSpec spec;
  private final boolean encrypt;
  private final byte[] key;
  private final byte[] iv;
  private final int tagLength;
  private boolean padding = true;

  /** Whether data was added. */
  private boolean begun;

  private boolean finished;

  /** The cipher; null until it is first used. */
  private CipherMode mode;

  /** The decoder of the output; null until the script asks for a string. */
  private PartialText text;

  CipherState(CipherSpec spec, boolean encrypt, byte[] key, byte[] iv, int tagLength) {
    this.spec = spec;
    this.encrypt = encrypt;
    this.key = key;
    this.iv = iv;
    this.tagLength = tagLength;
  }

  /**
   * Checks the length of a tag (NIST SP 800-38D, section 5.2.1.2).
   *
   * @throws NodeError if it is not 4, 8 or 12 to 16
   */
  static void checkTag(int length) {
    if (length != 4 && length != 8 && (length < 12 || length > WHOLE_TAG)) {
      throw NodeError.type(
          "ERR_CRYPTO_INVALID_AUTH_TAG", "Invalid authentication tag length: " + length);
    }
  }

  /** Returns the cipher, which is created on first use. */
  private CipherMode mode() {
    if (mode != null) {
      return mode;
    }
    try {
      int given = tagLength == ANY_TAG ? WHOLE_TAG : tagLength;
      mode =
          spec.isGcm()
              ? GcmMode.start(encrypt, key, iv, given)
              : BlockMode.start(spec, encrypt, key, iv, padding);
      return mode;
    } catch (GeneralSecurityException e) {
      throw CipherFunctions.failed(e);
    }
  }

  /**
   * Returns the cipher if it is in GCM mode and the operation is allowed now.
   *
   * @throws NodeError if it is not
   */
  private GcmMode gcm(String operation, boolean allowed) {
    if (!spec.isGcm() || !allowed) {
      throw NodeError.invalidState("Invalid state for operation " + operation);
    }
    return (GcmMode) mode();
  }

  /**
   * Adds data and returns the output.
   *
   * @throws NodeError if the cipher has been finished
   */
  byte[] update(ByteView data) {
    if (finished) {
      throw NodeError.error(null, "Trying to add data in unsupported state");
    }
    begun = true;
    try {
      return mode().update(data);
    } catch (GeneralSecurityException e) {
      throw CipherFunctions.failed(e);
    }
  }

  /**
   * Finishes the cipher and returns the rest of the output.
   *
   * @throws NodeError if it has been finished before, or padding or tag are wrong
   */
  byte[] finish() {
    if (finished) {
      throw NodeError.invalidState("Invalid state");
    }
    finished = true;
    try {
      return mode().finish();
    } catch (GeneralSecurityException e) {
      throw CipherFunctions.failed(e);
    }
  }

  /**
   * Returns the decoder of the output.
   *
   * @throws NodeError if an earlier call used another encoding
   */
  PartialText text(Object encoding) {
    TextEncoding asked = TextEncoding.of(encoding);
    if (text == null) {
      text = new PartialText(asked);
    }
    if (text.encoding() != asked) {
      throw NodeError.error("ERR_INTERNAL_ASSERTION", "Cannot change encoding");
    }
    return text;
  }

  /** Switches padding on or off, before any data is added. */
  void pad(boolean on) {
    if (begun || finished) {
      throw NodeError.invalidState("Invalid state for operation setAutoPadding");
    }
    padding = on;
  }

  /** Adds data that is authenticated and not encrypted, before any other data is added. */
  void authenticate(byte[] data) {
    gcm("setAAD", !begun && !finished).authenticate(data);
  }

  /** Returns the tag after the end of an encryption. */
  byte[] tag() {
    return gcm("getAuthTag", finished).tag();
  }

  /**
   * Sets the tag to expect on decryption; only once, and before the end.
   *
   * @throws NodeError if the call is out of order or the length of the tag is wrong
   */
  void expect(byte[] tag) {
    GcmMode gcm = gcm("setAuthTag", !finished);
    if (gcm.expects()) {
      throw NodeError.invalidState("Invalid state for operation setAuthTag");
    }
    checkTag(tag.length);
    if (tagLength != ANY_TAG && tagLength != tag.length) {
      throw NodeError.type(
          "ERR_CRYPTO_INVALID_AUTH_TAG", "Invalid authentication tag length: " + tag.length);
    }
    gcm.expect(tag);
  }
}
