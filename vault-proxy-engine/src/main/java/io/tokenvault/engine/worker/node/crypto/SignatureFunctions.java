package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import io.tokenvault.engine.worker.node.buffer.ByteRealm.FunctionBody;
import io.tokenvault.engine.worker.node.buffer.LazyMembers;
import io.tokenvault.engine.worker.node.buffer.TextEncoding;
import io.tokenvault.engine.worker.node.crypto.Signer.SignatureOptions;
import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.HostObject;
import io.tokenvault.engine.worker.node.script.NodeError;
import java.io.ByteArrayOutputStream;
import org.mozilla.javascript.LambdaConstructor;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/**
 * The functions {@code createSign}, {@code createVerify}, {@code sign} and {@code verify}, and
 * their classes.
 *
 * <p>{@link Signer} does the cryptography; this class reads arguments and returns results.
 */
final class SignatureFunctions {
  private SignatureFunctions() {}

  /** Returns the class {@code Sign} of a realm, which is defined on first use. */
  static LambdaConstructor signing(ByteRealm realm) {
    return realm.once("Sign", LambdaConstructor.class, () -> define(realm, true));
  }

  /** Returns the class {@code Verify} of a realm, which is defined on first use. */
  static LambdaConstructor verifying(ByteRealm realm) {
    return realm.once("Verify", LambdaConstructor.class, () -> define(realm, false));
  }

  /** Defines one of the classes with its methods. */
  private static LambdaConstructor define(ByteRealm realm, boolean signs) {
    FunctionBody create = (r, self, args) -> create(r, args, signs);
    LambdaConstructor made = realm.constructor(signs ? "Sign" : "Verify", 2, create, create);
    ScriptableObject prototype = realm.prototype(made);
    LazyMembers members =
        LazyMembers.hidden(realm, prototype).method("update", 2, SignatureFunctions::update);
    if (signs) {
      members.method("sign", 2, SignatureFunctions::signCollected);
    } else {
      members.method("verify", 3, SignatureFunctions::verifyCollected);
    }
    return made;
  }

  /**
   * Implements {@code createSign(algorithm)} and {@code createVerify(algorithm)}.
   *
   * @throws NodeError if the algorithm is not supported
   */
  static Object create(ByteRealm realm, CallArguments args, boolean signs) {
    DigestAlgorithms digest = DigestAlgorithms.named(args.text(0, "algorithm"));
    if (digest == null) {
      throw NodeError.type("ERR_CRYPTO_INVALID_DIGEST", "Invalid digest");
    }
    return realm.host(
        new Collected(digest), realm.prototype(signs ? signing(realm) : verifying(realm)));
  }

  /** Returns the state of the receiver. */
  private static Collected self(Object self) {
    return HostObject.self(self, Collected.class, "Sign");
  }

  /** Implements {@code update(data[, inputEncoding])}. */
  private static Object update(ByteRealm realm, Object self, CallArguments args) {
    ByteView data = CryptoInputs.data(realm, args);
    self(self).open().write(data.array, data.offset, data.length);
    return self;
  }

  /**
   * Implements {@code Sign.sign(privateKey[, outputEncoding])}, after which the object cannot be
   * used.
   */
  private static Object signCollected(ByteRealm realm, Object self, CallArguments args) {
    if (!ScriptRuntime.toBoolean(args.at(0))) {
      throw NodeError.error("ERR_CRYPTO_SIGN_KEY_REQUIRED", "No key provided to sign");
    }
    KeyMaterial key = KeyObjects.privateKey(args.at(0));
    SignatureOptions options = SignatureOptions.of(args.at(0));
    DigestAlgorithms digest = self(self).digest;
    byte[] signature = Signer.sign(realm, digest, key, options, self(self).take());
    return realm.output(signature, args.at(1));
  }

  /**
   * Implements {@code Verify.verify(key, signature[, signatureEncoding])}, after which the object
   * cannot be used.
   */
  private static Object verifyCollected(ByteRealm realm, Object self, CallArguments args) {
    KeyMaterial key = KeyObjects.publicKey(args.at(0));
    SignatureOptions options = SignatureOptions.of(args.at(0));
    byte[] signature =
        CryptoInputs.bytes(args.at(1), "signature", TextEncoding.lenient(args.at(2)));
    DigestAlgorithms digest = self(self).digest;
    return Signer.verify(realm, digest, key, options, self(self).take(), signature);
  }

  /** Implements {@code sign(algorithm, data, key[, callback])}. */
  static Object sign(ByteRealm realm, Object self, CallArguments args) {
    DigestAlgorithms digest = digest(args.at(0));
    ByteView data = ByteView.of(CryptoInputs.bytes(args.at(1), "data"));
    if (!ScriptRuntime.toBoolean(args.at(2))) {
      throw NodeError.error("ERR_CRYPTO_SIGN_KEY_REQUIRED", "No key provided to sign");
    }
    KeyMaterial key = KeyObjects.privateKey(args.at(2));
    SignatureOptions options = SignatureOptions.of(args.at(2));
    return answer(realm, args, 3, realm.buffer(Signer.sign(realm, digest, key, options, data)));
  }

  /** Implements {@code verify(algorithm, data, key, signature[, callback])}. */
  static Object verify(ByteRealm realm, Object self, CallArguments args) {
    DigestAlgorithms digest = digest(args.at(0));
    ByteView data = ByteView.of(CryptoInputs.bytes(args.at(1), "data"));
    KeyMaterial key = KeyObjects.publicKey(args.at(2));
    SignatureOptions options = SignatureOptions.of(args.at(2));
    ByteView signature = ByteView.ofView(args.at(3));
    if (signature == null) {
      throw NodeError.argument(
          "signature", "an instance of Buffer, TypedArray, or DataView", args.at(3));
    }
    Object good = Signer.verify(realm, digest, key, options, data, signature.copy());
    return answer(realm, args, 4, good);
  }

  /**
   * Returns a value, or passes it to a callback if there is one.
   *
   * @param callback the index of the callback among the arguments
   */
  static Object answer(ByteRealm realm, CallArguments args, int callback, Object value) {
    if (!args.has(callback)) {
      return value;
    }
    realm.later(args.function(callback, "callback"), null, value);
    return Undefined.instance;
  }

  /**
   * Returns the hash function of an argument; SHA-256 if it is missing, the default of OpenSSL for
   * RSA and EC keys.
   */
  private static DigestAlgorithms digest(Object name) {
    if (name == null || Undefined.isUndefined(name)) {
      return DigestAlgorithms.SHA256;
    }
    DigestAlgorithms digest = DigestAlgorithms.named(CallArguments.text(name, "algorithm"));
    if (digest == null) {
      throw NodeError.type("ERR_CRYPTO_INVALID_DIGEST", "Invalid digest: " + name);
    }
    return digest;
  }

  /** The data to sign or verify. It is null after it has been used. */
  private static final class Collected {
    private final DigestAlgorithms digest;
    private ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private Collected(DigestAlgorithms digest) {
      this.digest = digest;
    }

    /**
     * Returns the stream that collects the data.
     *
     * @throws NodeError if the data has been used
     */
    private ByteArrayOutputStream open() {
      if (bytes == null) {
        throw NodeError.invalidState("Not initialised");
      }
      return bytes;
    }

    /** Returns the data, which cannot be used again. */
    private ByteView take() {
      ByteView taken = ByteView.of(open().toByteArray());
      bytes = null;
      return taken;
    }
  }
}
