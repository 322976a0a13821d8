package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import io.tokenvault.engine.worker.node.buffer.LazyProperties;
import io.tokenvault.engine.worker.node.buffer.TextEncoding;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.HostObject;
import io.tokenvault.engine.worker.node.script.NodeError;
import java.security.MessageDigest;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Base64;
import org.mozilla.javascript.LambdaConstructor;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.Undefined;
import org.mozilla.javascript.typedarrays.NativeArrayBufferView;

/**
 * The class {@code KeyObject}, and keys as arguments of {@code crypto} functions.
 *
 * <p>A function accepts a {@code KeyObject}, PEM text, bytes, or an object that describes the
 * format of its property {@code key}.
 */
final class KeyObjects {
  /** The types in messages of other functions. */
  private static final String ANY =
      "of type string or an instance of ArrayBuffer, Buffer, TypedArray, DataView, KeyObject, or"
          + " CryptoKey";

  private KeyObjects() {}

  /**
   * Returns the bytes of a symmetric key: a string, bytes or a {@code KeyObject}.
   *
   * @throws NodeError if it is another type of key or value
   */
  static byte[] secret(Object value, Object encoding) {
    KeyMaterial key = HostObject.state(value, KeyMaterial.class);
    if (key != null) {
      if (key.isSecret()) {
        return key.encoded();
      }
      throw key.wrongType("secret");
    }
    byte[] bytes = CryptoInputs.bytesOrNull(value, TextEncoding.lenient(encoding));
    if (bytes == null) {
      throw NodeError.argument("key", ANY, value);
    }
    return bytes;
  }

  /**
   * Returns a private key: a {@code KeyObject}, PEM, DER, or an object with one of these as {@code
   * key}.
   *
   * @throws NodeError if it is another type of key or cannot be read
   */
  static KeyMaterial privateKey(Object value) {
    return read(value, true, ANY);
  }

  /**
   * Returns a public key in any form, or that of a private key.
   *
   * @throws NodeError if it is a symmetric key or cannot be read
   */
  static KeyMaterial publicKey(Object value) {
    KeyMaterial key = read(value, false, ANY);
    return key.type().equals("private") ? KeyMaterial.of(key.publicKey()) : key;
  }

  /**
   * Reads a key in any form.
   *
   * @param expected the types for the error message
   */
  private static KeyMaterial read(Object value, boolean isPrivate, String expected) {
    KeyMaterial ready = HostObject.state(value, KeyMaterial.class);
    if (ready != null) {
      return checked(ready, isPrivate);
    }
    byte[] bytes = CryptoInputs.bytesOrNull(value, TextEncoding.UTF8);
    if (bytes != null) {
      return KeyReader.read(bytes, null, isPrivate);
    }
    if (value == null || Undefined.isUndefined(value) || !(value instanceof Scriptable)) {
      throw NodeError.argument("key", expected, value);
    }
    return described(value, isPrivate, expected);
  }

  private static KeyMaterial checked(KeyMaterial key, boolean isPrivate) {
    if (isPrivate) {
      key.privateKey();
    } else {
      key.publicKey();
    }
    return key;
  }

  /**
   * Reads a key that an object describes by {@code key}, {@code format}, {@code type} and {@code
   * encoding}.
   */
  private static KeyMaterial described(Object description, boolean isPrivate, String expected) {
    Object value = LazyProperties.property(description, "key");
    KeyMaterial ready = HostObject.state(value, KeyMaterial.class);
    if (ready != null) {
      return checked(ready, isPrivate);
    }
    Object format = LazyProperties.property(description, "format");
    if ("jwk".equals(String.valueOf(text(format)))) {
      return JwkKeys.read(value, isPrivate);
    }
    Object encoding = LazyProperties.property(description, "encoding");
    byte[] bytes = CryptoInputs.bytesOrNull(value, TextEncoding.lenient(encoding));
    if (bytes == null) {
      throw NodeError.property("key.key", expected, value);
    }
    return KeyReader.read(bytes, derType(description, format, isPrivate), isPrivate);
  }

  /** Returns the type of a DER key that an object describes; null for PEM. */
  private static String derType(Object description, Object format, boolean isPrivate) {
    String name = text(format);
    if (Undefined.isUndefined(format) || "pem".equals(name)) {
      return null;
    }
    if (!"der".equals(name)) {
      throw NodeError.option("format", format);
    }
    Object type = LazyProperties.property(description, "type");
    String known = isPrivate ? "pkcs1 pkcs8 sec1" : "pkcs1 spki";
    if (text(type) == null || !Arrays.asList(known.split(" ")).contains(text(type))) {
      throw NodeError.option("type", type);
    }
    return text(type);
  }

  /** Returns an option of an object that describes a key; undefined for a key itself. */
  static Object option(Object options, String name) {
    return options instanceof HostObject || options instanceof NativeArrayBufferView
        ? Undefined.instance
        : LazyProperties.option(options, name);
  }

  /** Returns a string; null if the value is not one. */
  private static String text(Object value) {
    return value instanceof CharSequence ? value.toString() : null;
  }

  /**
   * Returns the class {@code KeyObject} of a realm. Its constructor always throws: scripts get
   * objects from functions only.
   */
  static LambdaConstructor keyClass(ByteRealm realm) {
    return realm.type(
        "KeyObject",
        2,
        (r, self, args) -> {
          throw NodeError.type("ERR_INVALID_ARG_VALUE", "Illegal constructor");
        },
        (statics, methods) -> {
          statics.method("from", 1, (r, self, args) -> object(r, ofCryptoKey(args.at(0))));
          define(methods);
        });
  }

  private static KeyMaterial ofCryptoKey(Object value) {
    KeyMaterial key = HostObject.state(value, KeyMaterial.class);
    if (key == null) {
      throw NodeError.argument("key", "an instance of CryptoKey", value);
    }
    return key;
  }

  /**
   * Returns a function for the script of {@code crypto.subtle}: it creates a {@code CryptoKey} from
   * a {@code KeyObject} and a prototype. All functions that accept a {@code KeyObject} accept it.
   */
  static Object wrap(ByteRealm realm) {
    return realm.function(
        "wrap",
        2,
        (r, self, args) -> {
          HostObject<KeyMaterial> key = r.host(self(args.at(0)), keyClass(r));
          key.setPrototype((Scriptable) args.at(1));
          return key;
        });
  }

  private static void define(LazyProperties properties) {
    properties
        .getter("type", (r, self, args) -> self(self).type())
        .getter("asymmetricKeyType", (r, self, args) -> family(self(self)))
        .getter("asymmetricKeyDetails", (r, self, args) -> details(r, self(self)))
        .getter(
            "symmetricKeySize",
            (r, self, args) ->
                self(self).isSecret() ? (Object) self(self).encoded().length : Undefined.instance)
        .method("export", 1, (r, self, args) -> exported(r, self(self), args.at(0)))
        .method("equals", 1, (r, self, args) -> same(self(self), args.at(0)));
  }

  private static KeyMaterial self(Object value) {
    return HostObject.self(value, KeyMaterial.class, "KeyObject");
  }

  static Object object(ByteRealm realm, KeyMaterial key) {
    return realm.host(key, keyClass(realm));
  }

  /** Implements {@code createSecretKey(key[, encoding])}. */
  static Object createSecretKey(ByteRealm realm, Object self, CallArguments args) {
    return object(realm, KeyMaterial.secret(CryptoInputs.secret(args.at(0), args.at(1))));
  }

  /** Implements {@code createPrivateKey(key)}. */
  static Object createPrivateKey(ByteRealm realm, Object self, CallArguments args) {
    return object(realm, read(args.at(0), true, CryptoInputs.BYTES));
  }

  /** Implements {@code createPublicKey(key)}. */
  static Object createPublicKey(ByteRealm realm, Object self, CallArguments args) {
    return object(realm, publicKey(args.at(0)));
  }

  /** Returns the value of {@code asymmetricKeyType}. */
  private static Object family(KeyMaterial key) {
    if (key.isSecret()) {
      return Undefined.instance;
    }
    return key.isRsa() ? "rsa" : key.isEc() ? "ec" : "ed25519";
  }

  /** Returns the value of {@code asymmetricKeyDetails}. */
  private static Object details(ByteRealm realm, KeyMaterial key) {
    if (key.isSecret()) {
      return Undefined.instance;
    }
    LazyProperties details = LazyProperties.listed(realm, realm.object());
    if (key.isRsa()) {
      Object exponent =
          key.key() instanceof RSAPublicKey rsa
              ? rsa.getPublicExponent()
              : ((RSAPrivateCrtKey) key.key()).getPublicExponent();
      details.value("modulusLength", key.bits()).value("publicExponent", exponent);
    } else if (key.isEc()) {
      // The JDK supports no other curves than these.
      details.value("namedCurve", key.bits() == 256 ? "prime256v1" : "secp" + key.bits() + "r1");
    }
    return details.object();
  }

  /** Implements {@code equals}, in constant time. */
  private static Object same(KeyMaterial key, Object other) {
    KeyMaterial second = HostObject.state(other, KeyMaterial.class);
    if (second == null) {
      throw NodeError.argument("otherKeyObject", "an instance of KeyObject", other);
    }
    return key.type().equals(second.type())
        && MessageDigest.isEqual(key.encoded(), second.encoded());
  }

  /** Returns a key as the options {@code format} and {@code type} ask for it. */
  static Object exported(ByteRealm realm, KeyMaterial key, Object options) {
    if ("jwk".equals(text(option(options, "format")))) {
      return JwkKeys.write(realm, key);
    }
    if (key.isSecret()) {
      return realm.buffer(key.encoded());
    }
    if (!(options instanceof Scriptable) || Undefined.isUndefined(options)) {
      throw NodeError.argument("options", "of type object", options);
    }
    Object format = LazyProperties.property(options, "format");
    boolean pem = "pem".equals(text(format));
    if (!pem && !"der".equals(text(format))) {
      throw NodeError.option("format", format);
    }
    return exported(realm, key, options, pem);
  }

  private static Object exported(ByteRealm realm, KeyMaterial key, Object options, boolean pem) {
    Object type = LazyProperties.property(options, "type");
    boolean isPrivate = key.type().equals("private");
    if (isPrivate && (isGiven(options, "cipher") || isGiven(options, "passphrase"))) {
      throw NodeError.unavailable("A private key with a passphrase");
    }
    boolean pkcs1 = "pkcs1".equals(text(type)) && key.isRsa();
    if (!pkcs1 && !(isPrivate ? "pkcs8" : "spki").equals(text(type))) {
      throw NodeError.option("type", type);
    }
    byte[] der = pkcs1 ? KeyReader.pkcs1(key.encoded(), isPrivate) : key.encoded();
    String label = (pkcs1 ? "RSA " : "") + (isPrivate ? "PRIVATE KEY" : "PUBLIC KEY");
    return pem ? pem(label, der) : realm.buffer(der);
  }

  private static boolean isGiven(Object options, String name) {
    Object value = LazyProperties.property(options, name);
    return value != null && !Undefined.isUndefined(value);
  }

  /** Returns a key in PEM, with lines of 64 characters. */
  private static String pem(String label, byte[] der) {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
  }
}
