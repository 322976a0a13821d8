package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.BufferBytes;
import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import io.tokenvault.engine.worker.node.buffer.ByteRealm.FunctionBody;
import io.tokenvault.engine.worker.node.buffer.LazyProperties;
import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.NodeError;
import java.security.MessageDigest;
import java.util.UUID;
import org.mozilla.javascript.Callable;
import org.mozilla.javascript.ScriptRuntime;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;
import org.mozilla.javascript.typedarrays.NativeFloat32Array;
import org.mozilla.javascript.typedarrays.NativeFloat64Array;
import org.mozilla.javascript.typedarrays.NativeTypedArrayView;

/**
 * The module {@code crypto}, as {@code require('crypto')} returns it.
 *
 * <p>Based on the providers of the JDK. Functions that are not available here throw an error with
 * their name.
 */
public final class CryptoModule {
  /**
   * Functions of Node.js that are not available here. A script that calls one gets an error with
   * its name instead of a {@code TypeError}.
   */
  private static final String[] UNAVAILABLE =
      "createDiffieHellman privateEncrypt publicDecrypt scrypt scryptSync".split(" ");

  /** The methods with which the use of an object as a stream of input begins. */
  private static final String WRITABLE = "write end on once";

  /** The methods with which the use of an object as a stream of output begins. */
  private static final String READABLE = "pipe read setEncoding";

  /** The greatest number of bytes that {@code getRandomValues} fills. */
  private static final int MAX_RANDOM_VALUES = 65_536;

  /** The widest range of {@code randomInt} in Node.js. */
  private static final long WIDEST = (1L << 48) - 1;

  /** {@code Number.MAX_SAFE_INTEGER}. */
  private static final double SAFE = 9007199254740991.0;

  private CryptoModule() {}

  /** Returns the module of a realm, which is created on first use. */
  public static ScriptableObject in(ByteRealm realm) {
    return realm.once("module crypto", ScriptableObject.class, () -> define(realm));
  }

  private static ScriptableObject define(ByteRealm realm) {
    LazyProperties properties = LazyProperties.listed(realm, realm.object());
    functions(properties);
    objects(realm, properties);
    for (String name : UNAVAILABLE) {
      properties.method(
          name,
          0,
          (r, self, args) -> {
            throw NodeError.unavailable("crypto." + name);
          });
    }
    return properties
        .lazy("constants", () -> constants(realm))
        .lazy("webcrypto", () -> webCrypto(realm))
        .lazy("subtle", () -> webCryptography(realm, "subtle"))
        .method("getRandomValues", 1, CryptoModule::getRandomValues)
        .object();
  }

  /** Makes the objects of a class streams that return output for their input. */
  static void addTransformStream(ByteRealm realm, LazyProperties properties) {
    addStream(realm, properties, "transform", WRITABLE + " " + READABLE);
  }

  /** Makes the objects of a class streams that accept input. */
  static void addWritableStream(ByteRealm realm, LazyProperties properties) {
    addStream(realm, properties, "writable", WRITABLE);
  }

  /**
   * Makes the objects of a class streams when a script first uses one as a stream. Few scripts do,
   * and streams are the largest script of the surface.
   */
  private static void addStream(
      ByteRealm realm, LazyProperties properties, String kind, String methods) {
    for (String name : methods.split(" ")) {
      properties.lazy(name, () -> realm.call("crypto-streams", kind, properties.object(), name));
    }
  }

  /** Returns the global {@code crypto}. */
  public static ScriptableObject webCrypto(ByteRealm realm) {
    return realm.once(
        "web crypto",
        ScriptableObject.class,
        () ->
            LazyProperties.listed(realm, realm.object())
                .method("getRandomValues", 1, CryptoModule::getRandomValues)
                .method("randomUUID", 0, CryptoModule::randomUuid)
                .lazy("subtle", () -> webCryptography(realm, "subtle"))
                .object());
  }

  /** Returns {@code subtle}, {@code CryptoKey} or {@code SubtleCrypto}. */
  public static Object webCryptography(ByteRealm realm, String name) {
    Scriptable api =
        realm.once(
            "web cryptography",
            Scriptable.class,
            () -> (Scriptable) realm.call("subtle", "create", in(realm), KeyObjects.wrap(realm)));
    return ScriptableObject.getProperty(api, name);
  }

  /** Implements {@code getRandomValues(array)}, which fills arrays of integers only. */
  private static Object getRandomValues(ByteRealm realm, Object self, CallArguments args) {
    Object array = args.at(0);
    if (!(array instanceof NativeTypedArrayView<?>)
        || array instanceof NativeFloat32Array
        || array instanceof NativeFloat64Array) {
      throw realm.domException(
          "TypeMismatchError", "The data argument must be an integer-type TypedArray");
    }
    if (ByteView.of(array).length > MAX_RANDOM_VALUES) {
      throw realm.domException("QuotaExceededError", "The requested length exceeds 65,536 bytes");
    }
    return randomFillSync(realm, self, new CallArguments(new Object[] {args.at(0)}));
  }

  /**
   * Returns the variant of a function that computes its result at once and passes it to a callback.
   *
   * @param callback the index of the callback among the arguments
   */
  private static FunctionBody async(int callback, FunctionBody body) {
    return (realm, self, args) -> {
      Callable function = args.function(callback, "callback");
      realm.later(function, null, body.call(realm, self, args));
      return Undefined.instance;
    };
  }

  private static void functions(LazyProperties properties) {
    properties
        .method("createHash", 2, HashFunctions::createHash)
        .method("hash", 2, HashFunctions::hash)
        .method("createHmac", 3, HashFunctions::createHmac)
        .method("getHashes", 0, (r, self, args) -> r.array(DigestAlgorithm.list()))
        .method("hkdf", 6, async(5, HashFunctions::hkdf))
        .method("hkdfSync", 5, HashFunctions::hkdf)
        .method("pbkdf2", 6, async(5, HashFunctions::pbkdf2))
        .method("pbkdf2Sync", 5, HashFunctions::pbkdf2)
        .method("createCipheriv", 4, (r, self, args) -> Cipheriv.create(r, args, true))
        .method("createDecipheriv", 4, (r, self, args) -> Cipheriv.create(r, args, false))
        .method("getCiphers", 0, (r, self, args) -> r.array(CipherSpec.list()))
        .method("getCurves", 0, (r, self, args) -> r.array("prime256v1", "secp384r1", "secp521r1"))
        .method("publicEncrypt", 2, RsaEncryption::encrypt)
        .method("privateDecrypt", 2, RsaEncryption::decrypt)
        .method("diffieHellman", 1, KeyGeneration::diffieHellman)
        .method("generateKey", 3, async(2, KeyGeneration::secret))
        .method("generateKeySync", 2, KeyGeneration::secret)
        .method("generateKeyPairSync", 2, (r, self, args) -> KeyGeneration.pair(r, args, false))
        .method("createECDH", 1, EcdhFunctions::create)
        .method("createSecretKey", 2, KeyObjects::createSecretKey)
        .method("createPrivateKey", 1, KeyObjects::createPrivateKey)
        .method("createPublicKey", 1, KeyObjects::createPublicKey)
        .method("createSign", 2, (r, self, args) -> SignatureFunctions.create(r, args, true))
        .method("createVerify", 2, (r, self, args) -> SignatureFunctions.create(r, args, false))
        .method("sign", 4, SignatureFunctions::sign)
        .method("verify", 5, SignatureFunctions::verify)
        .method("randomBytes", 2, CryptoModule::randomBytes)
        .method("pseudoRandomBytes", 2, CryptoModule::randomBytes)
        .method("randomFill", 4, CryptoModule::randomFill)
        .method("randomFillSync", 3, CryptoModule::randomFillSync)
        .method("randomInt", 3, CryptoModule::randomInt)
        .method("randomUUID", 1, CryptoModule::randomUuid)
        .method("timingSafeEqual", 2, CryptoModule::timingSafeEqual);
  }

  private static void objects(ByteRealm realm, LazyProperties properties) {
    properties
        .lazy("Hash", () -> HashFunctions.hashClass(realm))
        .lazy("Hmac", () -> HashFunctions.hmacClass(realm))
        .lazy("Cipheriv", () -> Cipheriv.type(realm, true))
        .lazy("Decipheriv", () -> Cipheriv.type(realm, false))
        .lazy("Sign", () -> SignatureFunctions.type(realm, true))
        .lazy("Verify", () -> SignatureFunctions.type(realm, false))
        .lazy("ECDH", () -> EcdhFunctions.type(realm))
        .lazy("KeyObject", () -> KeyObjects.keyClass(realm))
        .lazy("generateKeyPair", () -> KeyGeneration.pairFunction(realm));
  }

  /** Returns the object {@code constants} with the values of OpenSSL. */
  private static ScriptableObject constants(ByteRealm realm) {
    return LazyProperties.listed(realm, realm.object())
        .value("RSA_PKCS1_PADDING", 1)
        .value("RSA_NO_PADDING", 3)
        .value("RSA_PKCS1_OAEP_PADDING", 4)
        .value("RSA_PKCS1_PSS_PADDING", 6)
        .value("RSA_PSS_SALTLEN_DIGEST", -1)
        .value("RSA_PSS_SALTLEN_AUTO", -2)
        .value("RSA_PSS_SALTLEN_MAX_SIGN", -2)
        .object();
  }

  /** Implements {@code randomBytes(size[, callback])}. */
  static Object randomBytes(ByteRealm realm, Object self, CallArguments args) {
    int size = (int) CallArguments.number(args.at(0), "size", 0, Integer.MAX_VALUE);
    if (args.has(1)) {
      args.function(1, "callback");
    }
    return SignatureFunctions.deliver(realm, args, 1, realm.buffer(randomBytes(realm, size)));
  }

  /** Returns random bytes and counts the work. */
  static byte[] randomBytes(ByteRealm realm, int size) {
    realm.spend(30L * size);
    byte[] bytes = new byte[size];
    realm.random().nextBytes(bytes);
    return bytes;
  }

  /**
   * Implements {@code randomFillSync(buffer[, offset][, size])}. The offset is in bytes for all
   * types of arrays.
   */
  static Object randomFillSync(ByteRealm realm, Object self, CallArguments args) {
    Object target = args.at(0);
    ByteView view = ByteView.of(target);
    if (view == null) {
      throw NodeError.argument("buf", "an instance of ArrayBuffer or ArrayBufferView", target);
    }
    int offset = BufferBytes.offset(args.at(1), "offset", view.length, 0);
    int rest = view.length - offset;
    int size =
        args.has(2) ? (int) CallArguments.number(args.at(2), "size", 0, Integer.MAX_VALUE) : rest;
    if (size > rest) {
      throw NodeError.outOfRange("size + offset", "<= " + view.length, (double) offset + size);
    }
    System.arraycopy(randomBytes(realm, size), 0, view.array, view.offset + offset, size);
    return target;
  }

  /**
   * Implements {@code randomFill(buffer[, offset][, size], callback)}, which fills the buffer
   * immediately and calls back later.
   */
  static Object randomFill(ByteRealm realm, Object self, CallArguments args) {
    int last = args.isFunction(1) ? 1 : args.isFunction(2) ? 2 : 3;
    Callable callback = args.function(last, "callback");
    Object[] sync = {
      args.at(0),
      last > 1 ? args.at(1) : Undefined.instance,
      last > 2 ? args.at(2) : Undefined.instance
    };
    realm.later(callback, null, randomFillSync(realm, self, new CallArguments(sync)));
    return Undefined.instance;
  }

  /**
   * Implements {@code randomInt([min, ]max[, callback])}.
   *
   * @throws NodeError if the range is empty or too wide
   */
  static Object randomInt(ByteRealm realm, Object self, CallArguments args) {
    boolean single = !args.has(1) || args.isFunction(1);
    double min = single ? 0 : safe(args.at(0), "min");
    double max = safe(args.at(single ? 0 : 1), "max");
    int callback = single ? 1 : 2;
    if (args.has(callback)) {
      args.function(callback, "callback");
    }
    if (max <= min) {
      String range = "greater than the value of \"min\" (" + ScriptRuntime.toString(min) + ")";
      throw NodeError.outOfRange("max", range, max);
    }
    if (max - min > WIDEST) {
      throw NodeError.outOfRange("max - min", "<= " + WIDEST, max - min);
    }
    double drawn = realm.random().nextLong((long) min, (long) max);
    return SignatureFunctions.deliver(realm, args, callback, drawn);
  }

  private static double safe(Object value, String name) {
    double number = CallArguments.isNumber(value) ? ((Number) value).doubleValue() : Double.NaN;
    if (number != Math.rint(number) || !(Math.abs(number) <= SAFE)) {
      throw NodeError.argument(name, "a safe integer", value);
    }
    return number;
  }

  /** Implements {@code randomUUID([options])}: a version 4 UUID (RFC 9562, section 5.4). */
  static Object randomUuid(ByteRealm realm, Object self, CallArguments args) {
    if (args.has(0) && !(args.at(0) instanceof Scriptable)) {
      throw NodeError.argument("options", "of type object", args.at(0));
    }
    long high = (realm.random().nextLong() & ~0xf000L) | 0x4000L;
    long low = (realm.random().nextLong() >>> 2) | Long.MIN_VALUE;
    return new UUID(high, low).toString();
  }

  /**
   * Implements {@code timingSafeEqual(a, b)}.
   *
   * @throws NodeError a {@code RangeError} if the lengths differ
   */
  static Object timingSafeEqual(ByteRealm realm, Object self, CallArguments args) {
    byte[] first = CryptoInputs.view(args.at(0), "buf1").copy();
    byte[] second = CryptoInputs.view(args.at(1), "buf2").copy();
    if (first.length != second.length) {
      throw NodeError.range(
          "ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH", "Input buffers must have the same byte length");
    }
    realm.spend(first.length);
    return MessageDigest.isEqual(first, second);
  }
}
