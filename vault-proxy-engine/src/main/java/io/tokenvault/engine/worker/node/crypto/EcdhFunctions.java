package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import io.tokenvault.engine.worker.node.buffer.TextEncoding;
import io.tokenvault.engine.worker.node.script.CallArguments;
import io.tokenvault.engine.worker.node.script.HostObject;
import io.tokenvault.engine.worker.node.script.NodeError;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECFieldFp;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPrivateKeySpec;
import java.security.spec.ECPublicKeySpec;
import java.util.Arrays;
import org.mozilla.javascript.LambdaConstructor;
import org.mozilla.javascript.Undefined;

/** The function {@code createECDH} and the class {@code ECDH} of its objects. */
final class EcdhFunctions {
  private static final String NAME = "ECDH";

  private EcdhFunctions() {}

  static LambdaConstructor type(ByteRealm realm) {
    return realm.type(
        NAME,
        1,
        EcdhFunctions::create,
        (statics, methods) -> {
          statics.method("convertKey", 5, EcdhFunctions::convertKey);
          methods
              .method("computeSecret", 3, EcdhFunctions::computeSecret)
              .method("setPrivateKey", 2, EcdhFunctions::setPrivateKey)
              .method("setPublicKey", 2, EcdhFunctions::setPublicKey)
              .method("getPrivateKey", 1, EcdhFunctions::getPrivateKey)
              .method("generateKeys", 2, EcdhFunctions::generateKeys)
              .method("getPublicKey", 2, EcdhFunctions::getPublicKey);
        });
  }

  /** Implements {@code createECDH(curve)}. */
  static Object create(ByteRealm realm, Object self, CallArguments args)
      throws GeneralSecurityException {
    ECParameterSpec curve = KeyGeneration.curve(args.text(0, "curve"));
    return realm.host(new Keys(curve), type(realm));
  }

  /**
   * Implements {@code ECDH.convertKey(key, curve[, inputEncoding[, outputEncoding[, format]]])}.
   */
  private static Object convertKey(ByteRealm realm, Object self, CallArguments args)
      throws GeneralSecurityException {
    byte[] point = CryptoInputs.bytes(args.at(0), "key", TextEncoding.lenient(args.at(2)));
    Keys keys = new Keys(KeyGeneration.curve(args.text(1, "curve")));
    keys.publicKey = keys.point(point);
    if (keys.publicKey == null) {
      throw failed("Failed to convert Buffer to EC_POINT");
    }
    return realm.output(keys.encoded(args.at(4)), args.at(3));
  }

  private static Keys self(Object self) {
    return HostObject.self(self, Keys.class, NAME);
  }

  private static byte[] key(CallArguments args) {
    return CryptoInputs.bytes(args.at(0), "key", TextEncoding.lenient(args.at(1)));
  }

  private static Object generateKeys(ByteRealm realm, Object self, CallArguments args)
      throws GeneralSecurityException {
    Keys keys = self(self);
    KeyPair made = KeyGeneration.generated(realm, "EC", keys.curve);
    keys.privateKey = (ECPrivateKey) made.getPrivate();
    keys.publicKey = (ECPublicKey) made.getPublic();
    return getPublicKey(realm, self, args);
  }

  private static Object getPublicKey(ByteRealm realm, Object self, CallArguments args) {
    Keys keys = self(self);
    if (keys.publicKey == null) {
      throw failed("Failed to get ECDH public key");
    }
    return realm.output(keys.encoded(args.at(1)), args.at(0));
  }

  private static Object getPrivateKey(ByteRealm realm, Object self, CallArguments args) {
    Keys keys = self(self);
    if (keys.privateKey == null) {
      throw failed("Failed to get ECDH private key");
    }
    BigInteger number = keys.privateKey.getS();
    return realm.output(Signer.octets(number, (number.bitLength() + 7) / 8), args.at(0));
  }

  private static Object setPrivateKey(ByteRealm realm, Object self, CallArguments args)
      throws GeneralSecurityException {
    Keys keys = self(self);
    BigInteger number = new BigInteger(1, key(args));
    if (number.signum() == 0 || number.compareTo(keys.curve.getOrder()) >= 0) {
      throw NodeError.range(
          "ERR_CRYPTO_INVALID_KEYTYPE", "Private key is not valid for specified curve.");
    }
    ECPrivateKeySpec spec = new ECPrivateKeySpec(number, keys.curve);
    keys.privateKey = (ECPrivateKey) KeyFactory.getInstance("EC").generatePrivate(spec);
    keys.publicKey = (ECPublicKey) KeyGeneration.publicOf(keys.privateKey);
    realm.spend(KeyMaterial.of(keys.publicKey).privateCost());
    return self;
  }

  private static Object setPublicKey(ByteRealm realm, Object self, CallArguments args) {
    Keys keys = self(self);
    ECPublicKey given = keys.point(key(args));
    if (given == null) {
      throw failed("Failed to convert Buffer to EC_POINT");
    }
    keys.publicKey = given;
    return self;
  }

  private static Object computeSecret(ByteRealm realm, Object self, CallArguments args)
      throws GeneralSecurityException {
    Keys keys = self(self);
    byte[] point = key(args);
    if (keys.privateKey == null) {
      throw NodeError.range("ERR_CRYPTO_INVALID_KEYPAIR", "Invalid key pair");
    }
    ECPublicKey other = keys.point(point);
    if (other == null) {
      throw NodeError.error(
          "ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY", "Public key is not valid for specified curve");
    }
    return realm.output(
        KeyGeneration.agreed(realm, keys.privateKey, KeyMaterial.of(other)), args.at(2));
  }

  private static NodeError failed(String message) {
    return NodeError.error("ERR_CRYPTO_OPERATION_FAILED", message);
  }

  /** The keys of one object; null until they are set. */
  private static final class Keys {
    private final ECParameterSpec curve;
    private final BigInteger p;

    /** The length of a coordinate. */
    private final int size;

    private ECPrivateKey privateKey;
    private ECPublicKey publicKey;

    Keys(ECParameterSpec curve) {
      this.curve = curve;
      this.p = ((ECFieldFp) curve.getCurve().getField()).getP();
      this.size = (p.bitLength() + 7) / 8;
    }

    /** Returns the public key in a format: uncompressed, compressed or hybrid. */
    byte[] encoded(Object format) {
      String name =
          Undefined.isUndefined(format) || format == null ? "uncompressed" : format.toString();
      BigInteger y = publicKey.getW().getAffineY();
      int odd = y.testBit(0) ? 1 : 0;
      byte[] x = Signer.octets(publicKey.getW().getAffineX(), size);
      return switch (name) {
        case "uncompressed" -> joined(4, x, Signer.octets(y, size));
        case "compressed" -> joined(2 + odd, x);
        case "hybrid" -> joined(6 + odd, x, Signer.octets(y, size));
        default ->
            throw NodeError.type("ERR_CRYPTO_ECDH_INVALID_FORMAT", "Invalid ECDH format: " + name);
      };
    }

    private static byte[] joined(int first, byte[]... parts) {
      byte[] all = new byte[1 + parts.length * parts[0].length];
      all[0] = (byte) first;
      for (int i = 0; i < parts.length; i++) {
        System.arraycopy(parts[i], 0, all, 1 + i * parts[i].length, parts[i].length);
      }
      return all;
    }

    /** Returns a public key in any of the formats; null if it is not on the curve. */
    ECPublicKey point(byte[] bytes) {
      int kind = bytes.length == 0 ? 0 : bytes[0];
      boolean compressed = kind == 2 || kind == 3;
      boolean whole = kind == 4 || kind == 6 || kind == 7;
      if ((!compressed && !whole) || bytes.length != 1 + (compressed ? size : 2 * size)) {
        return null;
      }
      BigInteger x = new BigInteger(1, Arrays.copyOfRange(bytes, 1, 1 + size));
      BigInteger y =
          compressed
              ? coordinateY(x, kind == 3)
              : new BigInteger(1, Arrays.copyOfRange(bytes, 1 + size, bytes.length));
      if (kind >= 6 && y.testBit(0) != (kind == 7)) {
        return null;
      }
      try {
        ECPublicKeySpec spec = new ECPublicKeySpec(new ECPoint(x, y), curve);
        ECPublicKey key = (ECPublicKey) KeyFactory.getInstance("EC").generatePublic(spec);
        return JwkKeys.isOnCurve(key) ? key : null;
      } catch (GeneralSecurityException e) {
        return null;
      }
    }

    /** Returns the coordinate y for x, if there is one. All primes of the curves are 3 modulo 4. */
    private BigInteger coordinateY(BigInteger x, boolean odd) {
      BigInteger square =
          x.pow(3).add(curve.getCurve().getA().multiply(x)).add(curve.getCurve().getB());
      BigInteger y = square.modPow(p.add(BigInteger.ONE).shiftRight(2), p);
      return y.testBit(0) == odd ? y : p.subtract(y);
    }
  }
}
