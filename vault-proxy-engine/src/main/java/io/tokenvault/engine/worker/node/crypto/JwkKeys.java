package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.ByteRealm;
import io.tokenvault.engine.worker.node.buffer.LazyProperties;
import io.tokenvault.engine.worker.node.buffer.TextEncoding;
import io.tokenvault.engine.worker.node.crypto.KeyReader.Der;
import io.tokenvault.engine.worker.node.script.NodeError;
import java.math.BigInteger;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECFieldFp;
import java.security.spec.ECPoint;
import java.security.spec.EllipticCurve;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.mozilla.javascript.Scriptable;

/**
 * Reader and writer of JSON Web Keys (RFC 7517): RSA, elliptic curves and Ed25519. The keys are
 * converted to DER for {@link KeyReader}.
 */
final class JwkKeys {
  private static final List<String> TYPES = List.of("RSA", "EC", "OKP");

  /** The curves that Node.js knows, some of which the JDK does not have. */
  private static final List<String> CURVES = List.of("P-256", "secp256k1", "P-384", "P-521");

  private static final List<String> EDWARDS = List.of("Ed25519", "Ed448", "X25519", "X448");

  private static final Map<String, Curve> OF_JDK =
      Map.of(
          "P-256", new Curve("06082a8648ce3d030107", 32),
          "P-384", new Curve("06052b81040022", 48),
          "P-521", new Curve("06052b81040023", 66));

  /** The AlgorithmIdentifier of Ed25519. */
  private static final byte[] ED25519_ALGORITHM = TextEncoding.HEX.encode("300506032b6570");

  /** The first bytes of an uncompressed point in a BIT STRING. */
  private static final byte[] UNCOMPRESSED = {0, 4};

  /** The length of an Ed25519 key. */
  private static final int ED25519_BYTES = 32;

  private final Object key;

  private JwkKeys(Object key) {
    this.key = key;
  }

  /**
   * Reads a key.
   *
   * @param key the value of the property {@code key}
   * @throws NodeError if it is not a key of the wanted type
   */
  static KeyMaterial read(Object key, boolean isPrivate) {
    if (!(key instanceof Scriptable)) {
      throw NodeError.property("key.key", "of type object", key);
    }
    JwkKeys jwk = new JwkKeys(key);
    return switch (jwk.oneOf("kty", TYPES)) {
      case "RSA" -> jwk.rsa(isPrivate);
      case "EC" -> jwk.ec(isPrivate);
      default -> jwk.edwards(isPrivate);
    };
  }

  private Object property(String name) {
    return LazyProperties.property(key, name);
  }

  private String text(String name) {
    if (property(name) instanceof CharSequence text) {
      return text.toString();
    }
    throw NodeError.property("key." + name, "of type string", property(name));
  }

  private String oneOf(String name, List<String> known) {
    Object value = property(name);
    if (value instanceof CharSequence text && known.contains(text.toString())) {
      return text.toString();
    }
    String names = known.stream().map(each -> "'" + each + "'").collect(Collectors.joining(", "));
    throw NodeError.wrongValue("The property 'key." + name + "' must be one of: " + names, value);
  }

  private byte[] bytes(String name) {
    return TextEncoding.decodeBase64(text(name));
  }

  private KeyMaterial rsa(boolean isPrivate) {
    String names = isPrivate ? "n e d p q dp dq qi" : "n e";
    Stream<byte[]> numbers = Stream.of(names.split(" ")).map(this::bytes).map(JwkKeys::integer);
    Stream<byte[]> version = isPrivate ? Stream.of(integer(new byte[1])) : Stream.empty();
    byte[] der = Der.value(Der.SEQUENCE, Stream.concat(version, numbers).toArray(byte[][]::new));
    return parsed("RSA", der, "pkcs1", isPrivate);
  }

  private static byte[] integer(byte[] magnitude) {
    return Der.value(Der.INTEGER, new BigInteger(1, magnitude).toByteArray());
  }

  /** Returns the name of the curve. As in Node.js, its type is checked before its value. */
  private String curve(List<String> known) {
    text("crv");
    return oneOf("crv", known);
  }

  private KeyMaterial ec(boolean isPrivate) {
    String name = curve(CURVES);
    Curve curve = OF_JDK.get(name);
    if (curve == null) {
      throw NodeError.unavailable("The curve " + name);
    }
    byte[] point = curve.point(bytes("x"), bytes("y"));
    byte[] spki = Der.value(Der.SEQUENCE, curve.algorithm(), point);
    KeyMaterial publicKey = parsed("EC", spki, "spki", false);
    return isPrivate ? privateEc(curve, point, bytes("d")) : publicKey;
  }

  /** Returns a private key of an elliptic curve, with its public key in it. */
  static KeyMaterial ec(ECPublicKey publicKey, ECPrivateKey privateKey) {
    Curve curve = OF_JDK.get("P-" + KeyMaterial.of(publicKey).bits());
    ECPoint w = publicKey.getW();
    byte[] point = curve.point(w.getAffineX().toByteArray(), w.getAffineY().toByteArray());
    return privateEc(curve, point, privateKey.getS().toByteArray());
  }

  private static KeyMaterial privateEc(Curve curve, byte[] point, byte[] d) {
    byte[] sec1 =
        Der.value(
            Der.SEQUENCE,
            integer(new byte[] {1}),
            Der.value(Der.OCTETS, padded(d, curve.bytes())),
            Der.value(KeyReader.SEC1_PUBLIC, point));
    byte[] pkcs8 =
        Der.value(
            Der.SEQUENCE, integer(new byte[1]), curve.algorithm(), Der.value(Der.OCTETS, sec1));
    return parsed("EC", pkcs8, "pkcs8", true);
  }

  private static byte[] padded(byte[] number, int size) {
    BigInteger value = new BigInteger(1, number);
    if (value.bitLength() > 8 * size) {
      throw invalid("EC");
    }
    return Signer.octets(value, size);
  }

  /** Returns whether the point of a key is on its curve. */
  static boolean isOnCurve(ECPublicKey key) {
    ECPoint point = key.getW();
    EllipticCurve curve = key.getParams().getCurve();
    BigInteger p = ((ECFieldFp) curve.getField()).getP();
    BigInteger x = point.getAffineX();
    BigInteger right = x.multiply(x).add(curve.getA()).multiply(x).add(curve.getB()).mod(p);
    return x.compareTo(p) < 0
        && point.getAffineY().compareTo(p) < 0
        && point.getAffineY().pow(2).mod(p).equals(right);
  }

  private KeyMaterial edwards(boolean isPrivate) {
    String curve = curve(EDWARDS);
    if (!curve.equals("Ed25519")) {
      throw NodeError.unavailable("The curve " + curve);
    }
    byte[] bytes = bytes("x");
    if (isPrivate) {
      // As in Node.js, a private key must also have the public part, which is not used.
      bytes = bytes("d");
    }
    if (bytes.length != ED25519_BYTES) {
      throw invalid("OKP");
    }
    byte[] content =
        isPrivate
            ? Der.value(Der.OCTETS, Der.value(Der.OCTETS, bytes))
            : Der.value(Der.BITS, KeyReader.NO_UNUSED_BITS, bytes);
    byte[] version = isPrivate ? integer(new byte[1]) : new byte[0];
    byte[] der = Der.value(Der.SEQUENCE, version, ED25519_ALGORITHM, content);
    return parsed("OKP", der, isPrivate ? "pkcs8" : "spki", isPrivate);
  }

  private static KeyMaterial parsed(String kind, byte[] der, String type, boolean isPrivate) {
    try {
      return KeyReader.read(der, type, isPrivate);
    } catch (NodeError unreadable) {
      throw invalid(kind);
    }
  }

  private static NodeError invalid(String kind) {
    return NodeError.type("ERR_CRYPTO_INVALID_JWK", "Invalid JWK " + kind + " key");
  }

  /** Returns a key as an object of the realm, with its properties in the order of Node.js. */
  static Object write(ByteRealm realm, KeyMaterial key) {
    LazyProperties jwk = LazyProperties.listed(realm, realm.object());
    if (key.isSecret()) {
      jwk.value("kty", "oct").value("k", base64(key.encoded()));
    } else if (key.isRsa()) {
      writeRsa(jwk, key);
    } else if (key.isEc()) {
      writeEc(jwk, key);
    } else {
      writeEdwards(jwk, key);
    }
    return jwk.object();
  }

  private static void writeRsa(LazyProperties jwk, KeyMaterial key) {
    RSAPublicKey open = (RSAPublicKey) key.publicKey();
    jwk.value("kty", "RSA")
        .value("n", number(open.getModulus()))
        .value("e", number(open.getPublicExponent()));
    if (key.key() instanceof RSAPrivateCrtKey rsa) {
      jwk.value("d", number(rsa.getPrivateExponent()))
          .value("p", number(rsa.getPrimeP()))
          .value("q", number(rsa.getPrimeQ()))
          .value("dp", number(rsa.getPrimeExponentP()))
          .value("dq", number(rsa.getPrimeExponentQ()))
          .value("qi", number(rsa.getCrtCoefficient()));
    }
  }

  private static void writeEc(LazyProperties jwk, KeyMaterial key) {
    int size = (key.bits() + 7) / 8;
    ECPoint point = ((ECPublicKey) key.publicKey()).getW();
    jwk.value("kty", "EC")
        .value("x", base64(Signer.octets(point.getAffineX(), size)))
        .value("y", base64(Signer.octets(point.getAffineY(), size)))
        .value("crv", "P-" + key.bits());
    if (key.key() instanceof ECPrivateKey ec) {
      jwk.value("d", base64(Signer.octets(ec.getS(), size)));
    }
  }

  private static void writeEdwards(LazyProperties jwk, KeyMaterial key) {
    byte[] spki = key.publicKey().getEncoded();
    jwk.value("crv", "Ed25519");
    if (key.key() instanceof EdECPrivateKey edwards) {
      jwk.value("d", base64(edwards.getBytes().orElseThrow()));
    }
    jwk.value("x", base64(Arrays.copyOfRange(spki, spki.length - ED25519_BYTES, spki.length)))
        .value("kty", "OKP");
  }

  private static String number(BigInteger number) {
    return base64(Signer.octets(number, (number.bitLength() + 7) / 8));
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /**
   * An elliptic curve.
   *
   * @param oid in DER, hexadecimal
   * @param bytes the length of a coordinate
   */
  private record Curve(String oid, int bytes) {
    byte[] algorithm() {
      return Der.value(Der.SEQUENCE, KeyReader.EC_ALGORITHM, TextEncoding.HEX.encode(oid));
    }

    /** Returns an uncompressed point as a BIT STRING. */
    byte[] point(byte[] x, byte[] y) {
      return Der.value(Der.BITS, UNCOMPRESSED, padded(x, bytes), padded(y, bytes));
    }
  }
}
