package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import io.tokenvault.engine.worker.node.buffer.ByteRealm.FunctionBody;
import io.tokenvault.engine.worker.node.buffer.LazyMembers;
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
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/**
 * The functions {@code createCipheriv} and {@code createDecipheriv}, and their classes.
 *
 * <p>The state of an object is a {@link CipherState}; this class reads arguments and returns
 * results.
 */
final class CipherFunctions {
  /** The cost of creating a cipher, in units of work. */
  private static final int SETUP = 2000;

  private static final byte[] NONE = {};

  private CipherFunctions() {}

  /** Returns the class {@code Cipheriv} of a realm, which is defined on first use. */
  static LambdaConstructor encrypting(ByteRealm realm) {
    return realm.once("Cipheriv", LambdaConstructor.class, () -> define(realm, true));
  }

  /** Returns the class {@code Decipheriv} of a realm, which is defined on first use. */
  static LambdaConstructor decrypting(ByteRealm realm) {
    return realm.once("Decipheriv", LambdaConstructor.class, () -> define(realm, false));
  }

  /** Defines one of the classes with its methods. */
  private static LambdaConstructor define(ByteRealm realm, boolean encrypt) {
    FunctionBody create = (r, self, args) -> create(r, args, encrypt);
    LambdaConstructor made =
        realm.constructor(encrypt ? "Cipheriv" : "Decipheriv", 4, create, create);
    ScriptableObject prototype = realm.prototype(made);
    LazyMembers members =
        LazyMembers.hidden(realm, prototype)
            .method("update", 3, CipherFunctions::update)
            .method("final", 1, CipherFunctions::finish)
            .method("setAutoPadding", 1, CipherFunctions::setAutoPadding)
            .method("setAAD", 2, CipherFunctions::setAad);
    if (encrypt) {
      members.method("getAuthTag", 0, CipherFunctions::getAuthTag);
    } else {
      members.method("setAuthTag", 2, CipherFunctions::setAuthTag);
    }
    return made;
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
    CipherState state = new CipherState(spec, encrypt, key, iv, tagLength);
    return realm.host(state, realm.prototype(encrypt ? encrypting(realm) : decrypting(realm)));
  }

  /** Returns the option {@code authTagLength}; {@link CipherState#ANY_TAG} if it is not set. */
  private static int tagLength(Object options) {
    Object length =
        options instanceof Scriptable && !Undefined.isUndefined(options)
            ? LazyMembers.property(options, "authTagLength")
            : Undefined.instance;
    if (length == null || Undefined.isUndefined(length)) {
      return CipherState.ANY_TAG;
    }
    double number = CallArguments.isNumber(length) ? ((Number) length).doubleValue() : -1;
    if (number != (int) number || number < 0) {
      throw NodeError.option("authTagLength", length);
    }
    CipherState.checkTag((int) number);
    return (int) number;
  }

  /** Returns the state of the receiver. */
  private static CipherState self(Object self) {
    return HostObject.self(self, CipherState.class, "Cipheriv");
  }

  /** Implements {@code update(data[, inputEncoding][, outputEncoding])}. */
  private static Object update(ByteRealm realm, Object self, CallArguments args) {
    ByteView data = CryptoInputs.data(realm, args);
    byte[] output = self(self).update(data);
    Object encoding = args.at(2);
    return asText(encoding) ? self(self).text(encoding).add(output) : realm.buffer(output);
  }

  /** Implements {@code final([outputEncoding])}. */
  private static Object finish(ByteRealm realm, Object self, CallArguments args) {
    byte[] output = self(self).finish();
    Object encoding = args.at(0);
    return asText(encoding) ? self(self).text(encoding).end(output) : realm.buffer(output);
  }

  /** Returns whether an output encoding asks for a string. */
  private static boolean asText(Object encoding) {
    boolean named = ScriptRuntime.toBoolean(encoding);
    return named && !"buffer".equals(ScriptRuntime.toString(encoding));
  }

  /** Implements {@code setAutoPadding([autoPadding])}. */
  private static Object setAutoPadding(ByteRealm realm, Object self, CallArguments args) {
    self(self).pad(args.size() == 0 || ScriptRuntime.toBoolean(args.at(0)));
    return self;
  }

  /** Implements {@code setAAD(buffer[, options])}. */
  private static Object setAad(ByteRealm realm, Object self, CallArguments args) {
    Object options = args.at(1);
    Object encoding =
        options instanceof Scriptable && !Undefined.isUndefined(options)
            ? LazyMembers.property(options, "encoding")
            : Undefined.instance;
    byte[] data = CryptoInputs.bytes(args.at(0), "aadbuf", TextEncoding.lenient(encoding));
    realm.spend(data.length);
    self(self).authenticate(data);
    return self;
  }

  /** Implements {@code getAuthTag()}. */
  private static Object getAuthTag(ByteRealm realm, Object self, CallArguments args) {
    return realm.buffer(self(self).tag());
  }

  /** Implements {@code setAuthTag(buffer[, encoding])}. */
  private static Object setAuthTag(ByteRealm realm, Object self, CallArguments args) {
    self(self).expect(CryptoInputs.bytes(args.at(0), "buffer", TextEncoding.lenient(args.at(1))));
    return self;
  }

  /**
   * Returns the error for a failure that no check here has foreseen, without the text of the JDK.
   */
  static NodeError failed(GeneralSecurityException e) {
    return NodeError.error("ERR_CRYPTO_OPERATION_FAILED", "Operation failed");
  }

  /**
   * State of a {@code Cipheriv} or {@code Decipheriv}: its parameters, and the order in which its
   * methods may be called.
   *
   * <p>The cipher of the JDK is created on first use, since padding and additional data may be set
   * before.
   */
  static final class CipherState {
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
}
