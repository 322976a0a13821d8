package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.LenientBase64;
import io.tokenvault.engine.worker.node.buffer.TextEncoding;
import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.NodeError;
import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads keys in PEM and DER: PKCS#8, PKCS#1, SEC1, SPKI and certificates. */
final class KeyReader {
  private static final Pattern PEM =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]{1,40})-----([^-]*)-----END \\1-----");
  private static final String[] FAMILIES = {"RSA", "EC", "EdDSA"};
  private static final byte[] RSA_ALGORITHM =
      TextEncoding.HEX.encode("300d06092a864886f70d0101010500");
  private static final byte[] EC_ALGORITHM = TextEncoding.HEX.encode("06072a8648ce3d0201");
  private static final byte[] ZERO = {DerEncoder.INTEGER, 1, 0};
  private static final int SEC1_CURVE = 0xa0;
  private static final int SEC1_PUBLIC = 0xa1;

  private KeyReader() {}

  /** {@code type} is what the script says of DER; null for PEM, which says it itself. */
  static KeyMaterial privateKey(byte[] input, String type) {
    try {
      return type == null ? privatePem(input) : privateDer(input, type);
    } catch (GeneralSecurityException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw unsupported();
    }
  }

  static KeyMaterial publicKey(byte[] input, String type) {
    try {
      return KeyMaterial.of(type == null ? publicPem(input) : publicDer(input, type));
    } catch (GeneralSecurityException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw unsupported();
    }
  }

  private static NodeError unsupported() {
    return NodeError.openSsl("1E08010C", "DECODER routines", "unsupported", "ERR_OSSL_UNSUPPORTED");
  }

  private static Matcher pem(byte[] input) {
    Matcher pem = PEM.matcher(TextEncoding.LATIN1.decode(ByteView.of(input)));
    if (!pem.find()) {
      throw unsupported();
    }
    return pem;
  }

  private static byte[] der(Matcher pem) {
    return LenientBase64.decode(pem.group(2));
  }

  private static KeyMaterial privatePem(byte[] input) throws GeneralSecurityException {
    Matcher pem = pem(input);
    switch (pem.group(1)) {
      case "PRIVATE KEY":
        return privateDer(der(pem), "pkcs8");
      case "RSA PRIVATE KEY":
        return privateDer(der(pem), "pkcs1");
      case "EC PRIVATE KEY":
        return privateDer(der(pem), "sec1");
      case "ENCRYPTED PRIVATE KEY":
        throw NodeError.unavailable("A private key with a passphrase");
      default:
        throw unsupported();
    }
  }

  private static KeyMaterial privateDer(byte[] der, String type) throws GeneralSecurityException {
    byte[] pkcs8 = type.equals("pkcs1") ? ofPkcs1(der) : type.equals("sec1") ? ofSec1(der) : der;
    PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(pkcs8);
    for (String family : FAMILIES) {
      try {
        return KeyMaterial.of(KeyFactory.getInstance(family).generatePrivate(spec), pkcs8);
      } catch (InvalidKeySpecException e) {
        continue;
      }
    }
    throw unsupported();
  }

  private static byte[] ofPkcs1(byte[] der) {
    return DerEncoder.value(
        DerEncoder.SEQUENCE, ZERO, RSA_ALGORITHM, DerEncoder.value(DerEncoder.OCTETS, der));
  }

  private static byte[] ofSec1(byte[] der) {
    DerEncoder key = DerEncoder.inside(der, DerEncoder.SEQUENCE);
    key.whole();
    key.whole();
    byte[] curve = key.content(SEC1_CURVE);
    byte[] algorithm = DerEncoder.value(DerEncoder.SEQUENCE, EC_ALGORITHM, curve);
    return DerEncoder.value(
        DerEncoder.SEQUENCE, ZERO, algorithm, DerEncoder.value(DerEncoder.OCTETS, der));
  }

  private static PublicKey publicPem(byte[] input) throws GeneralSecurityException {
    Matcher pem = pem(input);
    switch (pem.group(1)) {
      case "PUBLIC KEY":
        return publicDer(der(pem), "spki");
      case "RSA PUBLIC KEY":
        return publicDer(der(pem), "pkcs1");
      case "CERTIFICATE":
        return CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(der(pem)))
            .getPublicKey();
      default:
        return privatePem(input).publicKey();
    }
  }

  private static PublicKey publicDer(byte[] der, String type) throws GeneralSecurityException {
    byte[] spki =
        type.equals("pkcs1")
            ? DerEncoder.value(DerEncoder.SEQUENCE, RSA_ALGORITHM, bits(der))
            : der;
    X509EncodedKeySpec spec = new X509EncodedKeySpec(spki);
    for (String family : FAMILIES) {
      try {
        return KeyFactory.getInstance(family).generatePublic(spec);
      } catch (InvalidKeySpecException e) {
        continue;
      }
    }
    throw unsupported();
  }

  private static byte[] bits(byte[] content) {
    return DerEncoder.value(DerEncoder.BITS, new byte[1], content);
  }

  /** The public key that belongs to a private one. */
  static PublicKey publicOf(PrivateKey key, byte[] pkcs8) {
    try {
      if (key instanceof RSAPrivateCrtKey) {
        RSAPrivateCrtKey rsa = (RSAPrivateCrtKey) key;
        RSAPublicKeySpec spec = new RSAPublicKeySpec(rsa.getModulus(), rsa.getPublicExponent());
        return KeyFactory.getInstance("RSA").generatePublic(spec);
      }
      return publicDer(spkiOfEc(pkcs8), "spki");
    } catch (GeneralSecurityException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw NodeError.unavailable("A public key that its private key does not carry");
    }
  }

  private static byte[] spkiOfEc(byte[] pkcs8) {
    DerEncoder outer = DerEncoder.inside(pkcs8, DerEncoder.SEQUENCE);
    outer.whole();
    byte[] algorithm = outer.whole();
    DerEncoder key = DerEncoder.inside(outer.content(DerEncoder.OCTETS), DerEncoder.SEQUENCE);
    while (key.tag() != SEC1_PUBLIC) {
      key.whole();
    }
    return DerEncoder.value(DerEncoder.SEQUENCE, algorithm, key.content(SEC1_PUBLIC));
  }

  /** The inside of PKCS#8 or SPKI, which is PKCS#1 for an RSA key. */
  static byte[] pkcs1(byte[] encoded, boolean isPrivate) {
    DerEncoder outer = DerEncoder.inside(encoded, DerEncoder.SEQUENCE);
    if (isPrivate) {
      outer.whole();
    }
    outer.whole();
    byte[] content = outer.content(isPrivate ? DerEncoder.OCTETS : DerEncoder.BITS);
    return isPrivate ? content : java.util.Arrays.copyOfRange(content, 1, content.length);
  }
}
