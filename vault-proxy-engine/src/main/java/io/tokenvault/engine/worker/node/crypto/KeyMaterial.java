package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.script.NodeError;
import io.tokenvault.engine.worker.node.script.WorkMeter;
import java.security.Key;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.ECKey;
import java.security.interfaces.RSAKey;

/** What a {@code KeyObject} holds. */
final class KeyMaterial {
  private final String type;
  private final Key key;
  private final byte[] encoded;

  private KeyMaterial(String type, Key key, byte[] encoded) {
    this.type = type;
    this.key = key;
    this.encoded = encoded;
  }

  static KeyMaterial secret(byte[] bytes) {
    return new KeyMaterial("secret", null, bytes);
  }

  /** {@code pkcs8} as it was read: the JDK forgets the public part of an EC key. */
  static KeyMaterial of(PrivateKey key, byte[] pkcs8) {
    return new KeyMaterial("private", key, pkcs8);
  }

  static KeyMaterial of(PublicKey key) {
    return new KeyMaterial("public", key, key.getEncoded());
  }

  String type() {
    return type;
  }

  /** A secret's bytes, PKCS#8 or SPKI. */
  byte[] encoded() {
    return encoded.clone();
  }

  Key key() {
    return key;
  }

  PrivateKey privateKey() {
    if (!(key instanceof PrivateKey)) {
      throw wrongType("private");
    }
    return (PrivateKey) key;
  }

  /** Of a private key, the public one that belongs to it. */
  PublicKey publicKey() {
    if (key instanceof PrivateKey) {
      return KeyReader.publicOf((PrivateKey) key, encoded);
    }
    if (!(key instanceof PublicKey)) {
      throw wrongType("private or public");
    }
    return (PublicKey) key;
  }

  private NodeError wrongType(String expected) {
    return NodeError.type(
        "ERR_CRYPTO_INVALID_KEY_OBJECT_TYPE",
        "Invalid key object type " + type + ", expected " + expected + ".");
  }

  boolean isRsa() {
    return key instanceof RSAKey;
  }

  boolean isEc() {
    return key instanceof ECKey;
  }

  /** The size of an RSA modulus or an EC field. */
  int bits() {
    if (isRsa()) {
      return ((RSAKey) key).getModulus().bitLength();
    }
    return isEc() ? ((ECKey) key).getParams().getCurve().getField().getFieldSize() : 255;
  }

  /** In units of {@link WorkMeter}. */
  long privateCost() {
    long bits = bits();
    return isRsa() ? (bits * bits * bits) >> 14 : bits * bits * 8;
  }

  long publicCost() {
    long bits = bits();
    return isRsa() ? (bits * bits) >> 5 : bits * bits * 8;
  }
}
