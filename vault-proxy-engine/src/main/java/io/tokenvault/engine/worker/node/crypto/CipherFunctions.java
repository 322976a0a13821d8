package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import io.tokenvault.engine.worker.node.buffer.FunctionBody;
import io.tokenvault.engine.worker.node.buffer.LazyMembers;
import io.tokenvault.engine.worker.node.buffer.TextEncoding;
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
}
