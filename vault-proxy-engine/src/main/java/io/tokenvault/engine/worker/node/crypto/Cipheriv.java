package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import io.tokenvault.engine.worker.node.buffer.LazyProperties;
import io.tokenvault.engine.worker.node.buffer.TextEncoding;
import io.tokenvault.engine.worker.node.buffer.TextEncoding.PartialText;
import io.tokenvault.engine.worker.node.crypto.CipherSpec.BlockMode;
import io.tokenvault.engine.worker.node.crypto.CipherSpec.CipherMode;
import io.tokenvault.engine.worker.node.crypto.CipherSpec.GcmMode;
import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.HostObject;
import io.tokenvault.engine.worker.node.script.NodeError;
import java.security.GeneralSecurityException;
import org.mozilla.javascript.LambdaConstructor;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Undefined;

/**
 * State of a {@code Cipheriv} or {@code Decipheriv}: its parameters, and the order in which its
 * methods may be called.
 *
 * <p>The cipher of the JDK is created on first use, since padding and additional data may be set
 * before.
 */
final class Cipheriv {
  /** The cost of creating a cipher, in units of work. */
  private static final int SETUP = 2000;

  /**
   * The tag length if the script has not chosen one: 16 bytes on encryption, any valid length on
   * decryption.
   */
  private static final int ANY_TAG = -1;

  /** The length of a complete tag, in bytes. */
  private static final int WHOLE_TAG = 16;

  private static final byte[] NONE = {};

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

  private Cipheriv(CipherSpec spec, boolean encrypt, byte[] key, byte[] iv, int tagLength) {
    this.spec = spec;
    this.encrypt = encrypt;
    this.key = key;
    this.iv = iv;
    this.tagLength = tagLength;
  }

  /** Returns the class {@code Cipheriv} or {@code Decipheriv} of a realm. */
  static LambdaConstructor type(ByteRealm realm, boolean encrypt) {
    return realm.type(
        encrypt ? "Cipheriv" : "Decipheriv",
        4,
        (r, self, args) -> create(r, args, encrypt),
        (statics, methods) -> define(realm, methods, encrypt));
  }

  private static void define(ByteRealm realm, LazyProperties properties, boolean encrypt) {
    CryptoModule.addTransformStream(realm, properties);
    properties
        .method("update", 3, Cipheriv::update)
        .method("final", 1, (r, self, args) -> self(self).finish(r, args.at(0)))
        .method("setAutoPadding", 1, Cipheriv::setAutoPadding)
        .method("setAAD", 2, Cipheriv::setAad);
    if (encrypt) {
      properties.method("getAuthTag", 0, (r, self, args) -> r.buffer(self(self).tag()));
    } else {
      properties.method("setAuthTag", 2, Cipheriv::setAuthTag);
    }
  }

  /**
   * Creates a cipher from the arguments algorithm, key, initialization vector and options.
   *
   * @throws NodeError if the algorithm is unknown, or key or initialization vector do not fit it
   */
  static Object create(ByteRealm realm, CallArguments args, boolean encrypt) {
    String name = args.text(0, "cipher");
    byte[] key = KeyObjects.secret(args.at(1), Undefined.instance);
    byte[] iv = args.at(2) == null ? NONE : CryptoInputs.bytes(args.at(2), "iv");
    CipherSpec spec = CipherSpec.named(name);
    spec.check(key, iv);
    realm.spend(SETUP);
    int tagLength = spec.isGcm() ? tagLength(args.at(3)) : 0;
    return realm.host(new Cipheriv(spec, encrypt, key, iv, tagLength), type(realm, encrypt));
  }

  /** Returns the option {@code authTagLength}; {@link #ANY_TAG} if it is not set. */
  private static int tagLength(Object options) {
    Object length = LazyProperties.option(options, "authTagLength");
    if (length == null || Undefined.isUndefined(length)) {
      return ANY_TAG;
    }
    double number = CallArguments.isNumber(length) ? ((Number) length).doubleValue() : -1;
    if (number != (int) number || number < 0) {
      throw NodeError.option("authTagLength", length);
    }
    checkTag((int) number);
    return (int) number;
  }

  /** Checks the length of a tag (NIST SP 800-38D, section 5.2.1.2): 4, 8 or 12 to 16. */
  private static void checkTag(int length) {
    if (length != 4 && length != 8 && (length < 12 || length > WHOLE_TAG)) {
      throw invalidTag(length);
    }
  }

  private static NodeError invalidTag(int length) {
    return NodeError.type(
        "ERR_CRYPTO_INVALID_AUTH_TAG", "Invalid authentication tag length: " + length);
  }

  private static Cipheriv self(Object self) {
    return HostObject.self(self, Cipheriv.class, "Cipheriv");
  }

  /** Implements {@code update(data[, inputEncoding][, outputEncoding])}. */
  private static Object update(ByteRealm realm, Object self, CallArguments args)
      throws GeneralSecurityException {
    ByteView data = CryptoInputs.data(realm, args);
    Cipheriv state = self(self);
    realm.spend(state.spec.furtherCost(data.length));
    return state.update(realm, data, args.at(2));
  }

  private Object update(ByteRealm realm, ByteView data, Object encoding)
      throws GeneralSecurityException {
    if (finished) {
      throw NodeError.error(null, "Trying to add data in unsupported state");
    }
    begun = true;
    return output(realm, mode().update(data), encoding, false);
  }

  /**
   * Implements {@code final([outputEncoding])}.
   *
   * @throws NodeError if it was called before, or padding or tag are wrong
   */
  private Object finish(ByteRealm realm, Object encoding) throws GeneralSecurityException {
    if (finished) {
      throw NodeError.invalidState("Invalid state");
    }
    finished = true;
    return output(realm, mode().finish(), encoding, true);
  }

  /** Returns output as the encoding asks for it: a string, or a buffer. */
  private Object output(ByteRealm realm, byte[] bytes, Object encoding, boolean last) {
    boolean named = ScriptRuntime.toBoolean(encoding);
    if (!named || "buffer".equals(ScriptRuntime.toString(encoding))) {
      return realm.buffer(bytes);
    }
    TextEncoding asked = TextEncoding.of(encoding);
    if (text == null) {
      text = new PartialText(asked);
    }
    if (text.encoding() != asked) {
      throw NodeError.error("ERR_INTERNAL_ASSERTION", "Cannot change encoding");
    }
    return last ? text.end(bytes) : text.add(bytes);
  }

  /** Returns the cipher, which is created on first use. */
  private CipherMode mode() throws GeneralSecurityException {
    if (mode != null) {
      return mode;
    }
    mode =
        spec.isGcm()
            ? new GcmMode(encrypt, key, iv, tagLength == ANY_TAG ? WHOLE_TAG : tagLength)
            : new BlockMode(spec, encrypt, key, iv, padding);
    return mode;
  }

  /** Returns the cipher if it is in GCM mode and the operation is allowed now; throws otherwise. */
  private GcmMode gcm(String operation, boolean allowed) throws GeneralSecurityException {
    if (!spec.isGcm() || !allowed) {
      throw NodeError.invalidState("Invalid state for operation " + operation);
    }
    return (GcmMode) mode();
  }

  /** Implements {@code setAutoPadding([autoPadding])}, which must precede all data. */
  private static Object setAutoPadding(ByteRealm realm, Object self, CallArguments args) {
    Cipheriv state = self(self);
    boolean padding = args.size() == 0 || ScriptRuntime.toBoolean(args.at(0));
    if (state.begun || state.finished) {
      throw NodeError.invalidState("Invalid state for operation setAutoPadding");
    }
    state.padding = padding;
    return self;
  }

  /**
   * Implements {@code setAAD(buffer[, options])}: adds data that is authenticated and not
   * encrypted, before any other data.
   */
  private static Object setAad(ByteRealm realm, Object self, CallArguments args)
      throws GeneralSecurityException {
    Object encoding = LazyProperties.option(args.at(1), "encoding");
    byte[] data = CryptoInputs.bytes(args.at(0), "aadbuf", TextEncoding.lenient(encoding));
    realm.spend(data.length);
    Cipheriv state = self(self);
    state.gcm("setAAD", !state.begun && !state.finished).authenticate(data);
    return self;
  }

  /** Returns the tag after the end of an encryption. */
  private byte[] tag() throws GeneralSecurityException {
    return gcm("getAuthTag", finished).tag();
  }

  /**
   * Implements {@code setAuthTag(buffer[, encoding])}: sets the tag to expect on decryption, only
   * once and before the end.
   */
  private static Object setAuthTag(ByteRealm realm, Object self, CallArguments args)
      throws GeneralSecurityException {
    Cipheriv state = self(self);
    byte[] tag = CryptoInputs.bytes(args.at(0), "buffer", TextEncoding.lenient(args.at(1)));
    GcmMode gcm = state.gcm("setAuthTag", !state.finished);
    if (gcm.expects()) {
      throw NodeError.invalidState("Invalid state for operation setAuthTag");
    }
    checkTag(tag.length);
    if (state.tagLength != ANY_TAG && state.tagLength != tag.length) {
      throw invalidTag(tag.length);
    }
    gcm.expect(tag);
    return self;
  }
}
