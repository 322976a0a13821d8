package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import io.tokenvault.engine.worker.node.buffer.LazyProperties;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.HostObject;
import io.tokenvault.engine.worker.node.script.NodeError;
import java.math.BigInteger;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;
import java.util.Map;
import java.util.function.Consumer;
import javax.crypto.KeyAgreement;
import org.mozilla.javascript.LambdaFunction;
import org.mozilla.javascript.Scriptable;
import org.mozilla.javascript.ScriptableObject;
import org.mozilla.javascript.Undefined;

/**
 * The functions {@code generateKey}, {@code generateKeyPair} (both also {@code ...Sync}) and {@code
 * diffieHellman}.
 */
final class KeyGeneration {
  /** The names of the JDK for curves. */
  private static final Map<String, String> CURVES =
      Map.of(
          "P-256", "secp256r1",
          "prime256v1", "secp256r1",
          "P-384", "secp384r1",
          "secp384r1", "secp384r1",
          "P-521", "secp521r1",
          "secp521r1", "secp521r1");

  private static final int MIN_RSA_BITS = 512;
  private static final int MAX_RSA_BITS = 16_384;
  private static final int DEFAULT_EXPONENT = 0x10001;

  /**
   * The cost of searching the primes of an RSA key, as a multiple of that of an operation with the
   * private key.
   */
  private static final int SEARCH = 150;

  private KeyGeneration() {}

  /** Implements {@code generateKeySync(type, options)}. */
  static Object secret(ByteRealm realm, Object self, CallArguments args) {
    String type = args.text(0, "type");
    Object given = LazyProperties.option(args.at(1), "length");
    boolean aes = type.equals("aes");
    if (!aes && !type.equals("hmac")) {
      throw unsupported(type);
    }
    int bits = CallArguments.whole(given, "options.length", 8, Integer.MAX_VALUE);
    if (aes && bits != 128 && bits != 192 && bits != 256) {
      throw NodeError.type(
          "ERR_INVALID_ARG_VALUE",
          "The property 'options.length' must be one of: 128, 192, 256. Received " + bits);
    }
    return KeyObjects.object(realm, KeyMaterial.secret(CryptoModule.randomBytes(realm, bits / 8)));
  }

  /**
   * Implements {@code generateKeyPair(type, options, callback)} and {@code generateKeyPairSync} for
   * RSA, elliptic curves and Ed25519.
   */
  static Object pair(ByteRealm realm, CallArguments args, boolean async)
      throws GeneralSecurityException {
    String type = args.text(0, "type");
    boolean omitted = async && args.isFunction(1) && !args.has(2);
    Object options = omitted ? Undefined.instance : args.at(1);
    KeyPair made = generate(realm, type, options);
    Object publicKey =
        encoded(realm, KeyMaterial.of(made.getPublic()), options, "publicKeyEncoding");
    Object privateKey = encoded(realm, privateKey(made), options, "privateKeyEncoding");
    if (async) {
      realm.later(args.function(omitted ? 1 : 2, "callback"), null, publicKey, privateKey);
      return Undefined.instance;
    }
    ScriptableObject pair = realm.object();
    pair.put("publicKey", pair, publicKey);
    pair.put("privateKey", pair, privateKey);
    return pair;
  }

  /** Returns the function {@code generateKeyPair}, which {@code util.promisify} knows. */
  static Object pairFunction(ByteRealm realm) {
    LambdaFunction function =
        realm.function("generateKeyPair", 3, (r, self, args) -> pair(r, args, true));
    function.defineProperty(
        "promisifiedNames",
        realm.array(new Object[] {"publicKey", "privateKey"}),
        ScriptableObject.DONTENUM);
    return function;
  }

  private static KeyPair generate(ByteRealm realm, String type, Object options)
      throws GeneralSecurityException {
    return switch (type) {
      case "rsa" -> rsa(realm, options);
      case "ec" -> {
        Object name = LazyProperties.option(options, "namedCurve");
        yield generated(realm, "EC", curve(CallArguments.text(name, "namedCurve")));
      }
      case "ed25519" -> generated(realm, "Ed25519", NamedParameterSpec.ED25519);
      default -> throw unsupported(type);
    };
  }

  /**
   * Returns an elliptic curve.
   *
   * @throws NodeError if it is not supported
   */
  static ECParameterSpec curve(String name) throws GeneralSecurityException {
    if (!CURVES.containsKey(name)) {
      throw NodeError.type("ERR_CRYPTO_INVALID_CURVE", "Invalid EC curve name");
    }
    AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
    parameters.init(new ECGenParameterSpec(CURVES.get(name)));
    return parameters.getParameterSpec(ECParameterSpec.class);
  }

  private static NodeError unsupported(String type) {
    return NodeError.wrongValue("The argument 'type' must be a supported key type", type);
  }

  private static KeyPair rsa(ByteRealm realm, Object options) throws GeneralSecurityException {
    Object length = LazyProperties.option(options, "modulusLength");
    Object exponent = LazyProperties.option(options, "publicExponent");
    int bits = CallArguments.whole(length, "options.modulusLength", MIN_RSA_BITS, MAX_RSA_BITS);
    int e =
        Undefined.isUndefined(exponent)
            ? DEFAULT_EXPONENT
            : CallArguments.whole(exponent, "options.publicExponent", 3, Integer.MAX_VALUE);
    realm.spend(SEARCH * KeyMaterial.rsaPrivateCost(bits));
    return generated(realm, "RSA", new RSAKeyGenParameterSpec(bits, BigInteger.valueOf(e)));
  }

  static KeyPair generated(ByteRealm realm, String algorithm, AlgorithmParameterSpec spec)
      throws GeneralSecurityException {
    KeyPair made = generated(algorithm, spec, realm.random()::nextBytes);
    realm.spend(KeyMaterial.of(made.getPublic()).privateCost());
    return made;
  }

  private static KeyPair generated(
      String algorithm, AlgorithmParameterSpec spec, Consumer<byte[]> random)
      throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
    generator.initialize(spec, new GivenRandom(random));
    return generator.generateKeyPair();
  }

  /**
   * Returns the public key of an Ed25519 key. The JDK computes it only when it generates a pair,
   * whose private key is what the source of random bytes returns.
   */
  static PublicKey publicOf(EdECPrivateKey key) throws GeneralSecurityException {
    byte[] seed = key.getBytes().orElseThrow();
    return generated(
            "Ed25519",
            NamedParameterSpec.ED25519,
            bytes -> System.arraycopy(seed, 0, bytes, 0, bytes.length))
        .getPublic();
  }

  /**
   * Returns the public key of a key of an elliptic curve. The JDK computes it only when it
   * generates a pair, whose private key is what the source of random bytes returns, lowest byte
   * first.
   */
  static PublicKey publicOf(ECPrivateKey key) throws GeneralSecurityException {
    byte[] number = key.getS().toByteArray();
    KeyPair made =
        generated(
            "EC",
            key.getParams(),
            bytes -> {
              for (int i = 0; i < bytes.length; i++) {
                bytes[i] = i < number.length ? number[number.length - 1 - i] : 0;
              }
            });
    if (!key.getS().equals(((ECPrivateKey) made.getPrivate()).getS())) {
      throw new GeneralSecurityException("another private key");
    }
    return made.getPublic();
  }

  private static KeyMaterial privateKey(KeyPair made) {
    return made.getPrivate() instanceof ECPrivateKey ec
        ? JwkKeys.ec((ECPublicKey) made.getPublic(), ec)
        : KeyMaterial.of(made.getPrivate(), made.getPrivate().getEncoded());
  }

  /** Returns a key in the format that an option asks for; a {@code KeyObject} if there is none. */
  private static Object encoded(ByteRealm realm, KeyMaterial key, Object options, String encoding) {
    Object format = LazyProperties.option(options, encoding);
    return Undefined.isUndefined(format)
        ? KeyObjects.object(realm, key)
        : KeyObjects.exported(realm, key, format);
  }

  /**
   * Implements {@code diffieHellman({privateKey, publicKey})} for keys of one elliptic curve (NIST
   * SP 800-56A).
   *
   * @throws NodeError if a key is missing or has another type or curve
   */
  static Object diffieHellman(ByteRealm realm, Object self, CallArguments args)
      throws GeneralSecurityException {
    if (!(args.at(0) instanceof Scriptable)) {
      throw NodeError.argument("options", "of type object", args.at(0));
    }
    KeyMaterial privateKey = key(args.at(0), "privateKey");
    KeyMaterial publicKey = key(args.at(0), "publicKey");
    if (!privateKey.isEc() || !publicKey.isEc() || privateKey.bits() != publicKey.bits()) {
      throw NodeError.error(
          "ERR_CRYPTO_INCOMPATIBLE_KEY", "Incompatible key types or curves for Diffie-Hellman");
    }
    return realm.buffer(agreed(realm, privateKey.privateKey(), publicKey));
  }

  /** Returns the secret of a private key and the public key of another. */
  static byte[] agreed(ByteRealm realm, PrivateKey privateKey, KeyMaterial publicKey)
      throws GeneralSecurityException {
    realm.spend(publicKey.privateCost());
    KeyAgreement agreement = KeyAgreement.getInstance("ECDH");
    agreement.init(privateKey);
    agreement.doPhase(publicKey.publicKey(), true);
    return agreement.generateSecret();
  }

  private static KeyMaterial key(Object options, String name) {
    Object value = LazyProperties.property(options, name);
    KeyMaterial key = HostObject.state(value, KeyMaterial.class);
    if (key == null) {
      throw NodeError.option(name, value);
    }
    return key;
  }

  /** Random numbers for the JDK from another source, which fills arrays. */
  private static final class GivenRandom extends SecureRandom {
    private static final long serialVersionUID = 1L;

    private final transient Consumer<byte[]> source;

    private GivenRandom(Consumer<byte[]> source) {
      // Without a provider: all other methods that return random numbers call nextBytes.
      super(null, null);
      this.source = source;
    }

    @Override
    public void nextBytes(byte[] bytes) {
      source.accept(bytes);
    }
  }
}
