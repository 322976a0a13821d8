package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.PartialText;
import io.tokenvault.engine.worker.node.buffer.TextEncoding;
import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.NodeError;
import java.security.GeneralSecurityException;

/** What a {@code Cipheriv} or {@code Decipheriv} is about, and which of its calls may come now. */
final class CipherState {
  static final int ANY_TAG = -1;
  private static final int WHOLE_TAG = 16;

  private final CipherSpec spec;
  private final boolean encrypt;
  private final byte[] key;
  private final byte[] iv;
  private final int tagLength;
  private boolean padding = true;
  private boolean begun;
  private boolean finished;
  private CipherMode mode;
  private PartialText text;

  CipherState(CipherSpec spec, boolean encrypt, byte[] key, byte[] iv, int tagLength) {
    this.spec = spec;
    this.encrypt = encrypt;
    this.key = key;
    this.iv = iv;
    this.tagLength = tagLength;
  }

  static void checkTag(int length) {
    if (length != 4 && length != 8 && (length < 12 || length > WHOLE_TAG)) {
      throw NodeError.type(
          "ERR_CRYPTO_INVALID_AUTH_TAG", "Invalid authentication tag length: " + length);
    }
  }

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

  private GcmMode gcm(String operation, boolean allowed) {
    if (!spec.isGcm() || !allowed) {
      throw NodeError.invalidState("Invalid state for operation " + operation);
    }
    return (GcmMode) mode();
  }

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

  /** The text that comes out, which keeps to its first encoding. */
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

  void pad(boolean on) {
    if (begun || finished) {
      throw NodeError.invalidState("Invalid state for operation setAutoPadding");
    }
    padding = on;
  }

  void authenticate(byte[] data) {
    gcm("setAAD", !begun && !finished).authenticate(data);
  }

  byte[] tag() {
    return gcm("getAuthTag", finished).tag();
  }

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
