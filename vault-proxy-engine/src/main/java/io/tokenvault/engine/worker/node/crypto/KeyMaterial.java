package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.script.NodeError;
import io.tokenvault.engine.worker.node.script.RealmServices;
import java.security.Key;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.ECKey;
import java.security.interfaces.RSAKey;

/** Content of a {@code KeyObject}: a symmetric, private or public key. */
final class KeyMaterial {
  /** The type of the key, as a {@code KeyObject} shows it. */
  private final String type;

  /** The key of the JDK; null for a symmetric key. */
  private final Key key;

  /** The bytes of a symmetric key, PKCS #8 of a private or SPKI of a public key. */
  private final byte[] encoded;

  private KeyMaterial(String type, Key key, byte[] encoded) {
    this.type = type;
    this.key = key;
    this.encoded = encoded;
  }

  static KeyMaterial secret(byte[] bytes) {
    return new KeyMaterial("secret", null, bytes);
  }

  /**
   * Returns a private key.
   *
   * @param pkcs8 the key as it was read, since the JDK drops the public part of an EC key
   */
  static KeyMaterial of(PrivateKey key, byte[] pkcs8) {
    return new KeyMaterial("private", key, pkcs8);
  }

  static KeyMaterial of(PublicKey key) {
    return new KeyMaterial("public", key, key.getEncoded());
  }

  String type() {
    return type;
  }

  /** Returns a copy of the encoded key: the bytes of a symmetric key, PKCS #8 or SPKI. */
  byte[] encoded() {
    return encoded.clone();
  }

  Key key() {
    return key;
  }

  /**
   * Returns the private key.
   *
   * @throws NodeError if this is another type of key
   */
  PrivateKey privateKey() {
    if (key instanceof PrivateKey found) {
      return found;
    }
    throw wrongType("private");
  }

  /**
   * Returns the public key, derived from the private one if necessary.
   *
   * @throws NodeError if this is a symmetric key, or the public key is not part of the private one
   */
  PublicKey publicKey() {
    if (key instanceof PrivateKey found) {
      return KeyReader.publicOf(found, encoded);
    }
    if (key instanceof PublicKey found) {
      return found;
    }
    throw wrongType("private or public");
  }

  NodeError wrongType(String expected) {
    return NodeError.type(
        "ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE",
        "Invalid key object type " + type + ", expected " + expected + ".");
  }

  boolean isSecret() {
    return key == null;
  }

  boolean isRsa() {
    return key instanceof RSAKey;
  }

  boolean isEc() {
    return key instanceof ECKey;
  }

  /** Returns the size of the RSA modulus or EC field in bits; 255 for Ed25519. */
  int bits() {
    if (key instanceof RSAKey rsa) {
      return rsa.getModulus().bitLength();
    }
    return key instanceof ECKey ec ? ec.getParams().getCurve().getField().getFieldSize() : 255;
  }

  /**
   * Returns the cost of an operation with the private key, in units of {@link RealmServices#spend}.
   * Estimated from the size: cubic for RSA, quadratic for curves.
   */
  long privateCost() {
    long bits = bits();
    return isRsa() ? rsaPrivateCost(bits) : bits * bits * 8;
  }

  /** Returns the cost of an operation with a private RSA key of a size in bits. */
  static long rsaPrivateCost(long bits) {
    return (bits * bits * bits) >> 14;
  }

  /**
   * Returns the cost of an operation with the public key, in units of {@link RealmServices#spend}.
   */
  long publicCost() {
    long bits = bits();
    return isRsa() ? (bits * bits) >> 5 : bits * bits * 8;
  }
}
