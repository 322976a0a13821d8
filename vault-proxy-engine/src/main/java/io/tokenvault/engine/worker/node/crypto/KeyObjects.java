package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import io.tokenvault.engine.worker.node.buffer.FunctionBody;
import io.tokenvault.engine.worker.node.buffer.LazyMembers;
import io.tokenvault.engine.worker.node.buffer.TextEncoding;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.HostObject;
import io.tokenvault.engine.worker.node.script.NodeError;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Base64;
import org.mozilla.javascript.LambdaConstructor;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/** {@code KeyObject}, and keys as functions of {@code crypto} take them. */
final class KeyObjects {
  private static final String BYTES =
      "of type string or an instance of ArrayBuffer, Buffer, TypedArray, or DataView";
  private static final String ANY =
      "of type string or an instance of ArrayBuffer, Buffer, TypedArray, DataView, KeyObject, or"
          + " CryptoKey";

  private KeyObjects() {}

  /** A symmetric key: text, bytes, or a {@code KeyObject}. */
  static byte[] secret(Object value, Object encoding) {
    KeyMaterial key = HostObject.state(value, KeyMaterial.class);
    if (key != null && key.type().equals("secret")) {
      return key.encoded();
    }
    if (key != null) {
      throw NodeError.type(
          "ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE",
          "Invalid key object type " + key.type() + ", expected secret.");
    }
    byte[] bytes = CryptoInputs.bytesOrNull(value, TextEncoding.lenient(encoding));
    if (bytes == null) {
      throw NodeError.argument("key", ANY, value);
    }
    return bytes;
  }

  /** A private key: {@code KeyObject}, PEM, DER, or an object that has one as {@code key}. */
  static KeyMaterial privateKey(Object value) {
    return read(value, true, ANY);
  }

  /** A public key, or the private one it belongs to, in any form. */
  static KeyMaterial publicKey(Object value) {
    KeyMaterial key = read(value, false, ANY);
    return key.type().equals("private") ? KeyMaterial.of(key.publicKey()) : key;
  }

  private static KeyMaterial read(Object value, boolean isPrivate, String expected) {
    KeyMaterial ready = HostObject.state(value, KeyMaterial.class);
    if (ready != null) {
      return checked(ready, isPrivate);
    }
    byte[] bytes = CryptoInputs.bytesOrNull(value, TextEncoding.UTF8);
    if (bytes != null) {
      return parsed(bytes, null, isPrivate);
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

  private static KeyMaterial described(Object description, boolean isPrivate, String expected) {
    Object value = LazyMembers.property(description, "key");
    KeyMaterial ready = HostObject.state(value, KeyMaterial.class);
    if (ready != null) {
      return checked(ready, isPrivate);
    }
    Object format = LazyMembers.property(description, "format");
    if ("jwk".equals(String.valueOf(text(format)))) {
      throw NodeError.unavailable("A key in the format jwk");
    }
    Object encoding = LazyMembers.property(description, "encoding");
    byte[] bytes = CryptoInputs.bytesOrNull(value, TextEncoding.lenient(encoding));
    if (bytes == null) {
      throw NodeError.property("key.key", expected, value);
    }
    return parsed(bytes, derType(description, format, isPrivate), isPrivate);
  }

  private static String derType(Object description, Object format, boolean isPrivate) {
    String name = text(format);
    if (Undefined.isUndefined(format) || "pem".equals(name)) {
      return null;
    }
    if (!"der".equals(name)) {
      throw NodeError.option("format", format);
    }
    Object type = LazyMembers.property(description, "type");
    String known = isPrivate ? "pkcs1 pkcs8 sec1" : "pkcs1 spki";
    if (text(type) == null || !Arrays.asList(known.split(" ")).contains(text(type))) {
      throw NodeError.option("type", type);
    }
    return text(type);
  }

  private static String text(Object value) {
    return value instanceof CharSequence ? value.toString() : null;
  }

  private static KeyMaterial parsed(byte[] bytes, String type, boolean isPrivate) {
    return isPrivate ? KeyReader.privateKey(bytes, type) : KeyReader.publicKey(bytes, type);
  }

  static LambdaConstructor keyClass(ByteRealm realm) {
    return realm.once("KeyObject", LambdaConstructor.class, () -> define(realm));
  }

  private static LambdaConstructor define(ByteRealm realm) {
    FunctionBody none =
        (r, self, args) -> {
          throw NodeError.type("ERR_INVALID_ARG_VALUE", "Illegal constructor");
        };
    LambdaConstructor key = realm.constructor("KeyObject", 2, none, none);
    ScriptableObject prototype = realm.prototype(key);
    LazyMembers.hidden(realm, prototype)
        .getter("type", (r, self, args) -> self(self).type())
        .getter("asymmetricKeyType", (r, self, args) -> family(self(self)))
        .getter("asymmetricKeyDetails", (r, self, args) -> details(r, self(self)))
        .getter("symmetricKeySize", (r, self, args) -> secretSize(self(self)))
        .method("export", 1, KeyObjects::export)
        .method("equals", 1, (r, self, args) -> same(self(self), args.at(0)));
    return key;
  }

  private static KeyMaterial self(Object value) {
    return HostObject.self(value, KeyMaterial.class, "KeyObject");
  }

  static Object object(ByteRealm realm, KeyMaterial key) {
    return realm.host(key, realm.prototype(keyClass(realm)));
  }

  static Object createSecretKey(ByteRealm realm, Object self, CallArguments args) {
    return object(realm, KeyMaterial.secret(CryptoInputs.secret(args.at(0), args.at(1))));
  }

  static Object createPrivateKey(ByteRealm realm, Object self, CallArguments args) {
    return object(realm, read(args.at(0), true, BYTES));
  }

  static Object createPublicKey(ByteRealm realm, Object self, CallArguments args) {
    return object(realm, publicKey(args.at(0)));
  }

  private static Object family(KeyMaterial key) {
    if (key.type().equals("secret")) {
      return Undefined.instance;
    }
    return key.isRsa() ? "rsa" : key.isEc() ? "ec" : "ed25519";
  }

  private static Object secretSize(KeyMaterial key) {
    return key.type().equals("secret") ? (Object) key.encoded().length : Undefined.instance;
  }

  private static Object details(ByteRealm realm, KeyMaterial key) {
    if (key.type().equals("secret")) {
      return Undefined.instance;
    }
    LazyMembers details = LazyMembers.listed(realm, realm.object());
    if (key.isRsa()) {
      Object exponent =
          key.key() instanceof RSAPublicKey
              ? ((RSAPublicKey) key.key()).getPublicExponent()
              : ((RSAPrivateCrtKey) key.key()).getPublicExponent();
      details.value("modulusLength", key.bits()).value("publicExponent", exponent);
    } else if (key.isEc()) {
      details.value("namedCurve", curve(key.bits()));
    }
    return details.object();
  }

  /** The JDK has no other curves than these. */
  private static String curve(int bits) {
    return bits == 256 ? "prime256v1" : "secp" + bits + "r1";
  }

  private static Object same(KeyMaterial key, Object other) {
    KeyMaterial second = HostObject.state(other, KeyMaterial.class);
    if (second == null) {
      throw NodeError.argument("otherKeyObject", "an instance of KeyObject", other);
    }
    return key.type().equals(second.type())
        && java.security.MessageDigest.isEqual(key.encoded(), second.encoded());
  }

  private static Object export(ByteRealm realm, Object self, CallArguments args) {
    KeyMaterial key = self(self);
    Object options = args.at(0);
    if (key.type().equals("secret")) {
      return realm.buffer(key.encoded());
    }
    if (!(options instanceof Scriptable) || Undefined.isUndefined(options)) {
      throw NodeError.argument("options", "of type object", options);
    }
    Object format = LazyMembers.property(options, "format");
    boolean pem = "pem".equals(text(format));
    if (!pem && !"der".equals(text(format))) {
      throw NodeError.option("format", format);
    }
    return exported(realm, key, LazyMembers.property(options, "type"), pem);
  }

  private static Object exported(ByteRealm realm, KeyMaterial key, Object type, boolean pem) {
    boolean isPrivate = key.type().equals("private");
    boolean pkcs1 = "pkcs1".equals(text(type)) && key.isRsa();
    if (!pkcs1 && !(isPrivate ? "pkcs8" : "spki").equals(text(type))) {
      throw NodeError.option("type", type);
    }
    byte[] der = pkcs1 ? KeyReader.pkcs1(key.encoded(), isPrivate) : key.encoded();
    String label = (pkcs1 ? "RSA " : "") + (isPrivate ? "PRIVATE KEY" : "PUBLIC KEY");
    return pem ? pem(label, der) : realm.buffer(der);
  }

  private static String pem(String label, byte[] der) {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
  }
}
