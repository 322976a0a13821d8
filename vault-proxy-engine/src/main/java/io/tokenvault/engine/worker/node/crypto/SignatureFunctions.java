package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import io.tokenvault.engine.worker.node.buffer.LazyProperties;
import io.tokenvault.engine.worker.node.buffer.TextEncoding;
import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.HostObject;
import io.tokenvault.engine.worker.node.script.NodeError;
import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import org.mozilla.javascript.LambdaConstructor;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Undefined;

/**
 * The functions {@code createSign}, {@code createVerify}, {@code sign} and {@code verify}, and
 * their classes.
 *
 * <p>{@link Signer} does the cryptography; this class reads arguments and returns results.
 */
final class SignatureFunctions {
  private SignatureFunctions() {}

  /** Returns the class {@code Sign} or {@code Verify} of a realm. */
  static LambdaConstructor type(ByteRealm realm, boolean signs) {
    return realm.type(
        signs ? "Sign" : "Verify",
        2,
        (r, self, args) -> create(r, args, signs),
        (statics, methods) -> define(realm, methods, signs));
  }

  private static void define(ByteRealm realm, LazyProperties properties, boolean signs) {
    CryptoModule.addWritableStream(realm, properties);
    properties.method("update", 2, SignatureFunctions::update);
    if (signs) {
      properties.method("sign", 2, SignatureFunctions::signCollected);
    } else {
      properties.method("verify", 3, SignatureFunctions::verifyCollected);
    }
  }

  /**
   * Implements {@code createSign(algorithm)} and {@code createVerify(algorithm)}.
   *
   * @throws NodeError if the algorithm is not supported
   */
  static Object create(ByteRealm realm, CallArguments args, boolean signs) {
    DigestAlgorithm digest = DigestAlgorithm.named(args.text(0, "algorithm"));
    if (digest == null) {
      throw NodeError.type("ERR_CRYPTO_INVALID_DIGEST", "Invalid digest");
    }
    return realm.host(new Collected(digest), type(realm, signs));
  }

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
  private static Object signCollected(ByteRealm realm, Object self, CallArguments args)
      throws GeneralSecurityException {
    Signer signer = signing(args.at(0));
    byte[] signature = signer.sign(realm, self(self).digest, self(self).take());
    return realm.output(signature, args.at(1));
  }

  /**
   * Implements {@code Verify.verify(key, signature[, signatureEncoding])}, after which the object
   * cannot be used.
   */
  private static Object verifyCollected(ByteRealm realm, Object self, CallArguments args) {
    Signer signer = new Signer(KeyObjects.publicKey(args.at(0)), args.at(0));
    byte[] signature =
        CryptoInputs.bytes(args.at(1), "signature", TextEncoding.lenient(args.at(2)));
    return signer.verify(realm, self(self).digest, self(self).take(), signature);
  }

  /** Implements {@code sign(algorithm, data, key[, callback])}. */
  static Object sign(ByteRealm realm, Object self, CallArguments args)
      throws GeneralSecurityException {
    DigestAlgorithm digest = digest(args.at(0));
    ByteView data = ByteView.of(CryptoInputs.bytes(args.at(1), "data"));
    Signer signer = signing(args.at(2));
    return deliver(realm, args, 3, realm.buffer(signer.sign(realm, digest, data)));
  }

  private static Signer signing(Object key) {
    if (!ScriptRuntime.toBoolean(key)) {
      throw NodeError.error("ERR_CRYPTO_SIGN_KEY_REQUIRED", "No key provided to sign");
    }
    return new Signer(KeyObjects.privateKey(key), key);
  }

  /** Implements {@code verify(algorithm, data, key, signature[, callback])}. */
  static Object verify(ByteRealm realm, Object self, CallArguments args) {
    DigestAlgorithm digest = digest(args.at(0));
    ByteView data = ByteView.of(CryptoInputs.bytes(args.at(1), "data"));
    Signer signer = new Signer(KeyObjects.publicKey(args.at(2)), args.at(2));
    ByteView signature = ByteView.ofView(args.at(3));
    if (signature == null) {
      throw NodeError.argument(
          "signature", "an instance of Buffer, TypedArray, or DataView", args.at(3));
    }
    return deliver(realm, args, 4, signer.verify(realm, digest, data, signature.copy()));
  }

  /**
   * Returns a value, or passes it to a callback if there is one.
   *
   * @param callback the index of the callback among the arguments
   */
  static Object deliver(ByteRealm realm, CallArguments args, int callback, Object value) {
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
  private static DigestAlgorithm digest(Object name) {
    return name == null || Undefined.isUndefined(name)
        ? DigestAlgorithm.SHA256
        : DigestAlgorithm.required(CallArguments.text(name, "algorithm"));
  }

  /** The data to sign or verify. It is null after it has been used. */
  private static final class Collected {
    private final DigestAlgorithm digest;
    private ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private Collected(DigestAlgorithm digest) {
      this.digest = digest;
    }

    /** Returns the stream that collects the data; throws if the data has been used. */
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
