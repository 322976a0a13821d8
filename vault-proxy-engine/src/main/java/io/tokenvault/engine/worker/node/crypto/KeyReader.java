package io.tokenvault.engine.worker.node.crypto;

import io.tokenvault.engine.worker.node.buffer.TextEncoding;
import io.tokenvault.engine.worker.node.script.ByteView;
import io.tokenvault.engine.worker.node.script.NodeError;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reader of keys in PEM and DER: PKCS #8, PKCS #1, SEC 1, SPKI and certificates.
 *
 * <p>Other formats than PKCS #8 and SPKI are converted to these for the JDK. Keys with a passphrase
 * are not supported.
 */
final class KeyReader {
  /** The first block of PEM text: its label (group 1) and content (group 2). */
  private static final Pattern PEM =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]{1,40})-----([^-]*)-----END \\1-----");

  /** The key factories, tried in this order instead of examining the encoding. */
  private static final String[] FAMILIES = {"RSA", "EC", "EdDSA"};

  /** The AlgorithmIdentifier of RSA. */
  private static final byte[] RSA_ALGORITHM =
      TextEncoding.HEX.encode("300d06092a864886f70d0101010500");

  /** The OID of EC keys. */
  static final byte[] EC_ALGORITHM = TextEncoding.HEX.encode("06072a8648ce3d0201");

  /** The version of PKCS #8. */
  private static final byte[] ZERO = {Der.INTEGER, 1, 0};

  /** The first byte of a BIT STRING. */
  static final byte[] NO_UNUSED_BITS = {0};

  /** The tag of the curve in SEC 1. */
  private static final int SEC1_CURVE = 0xa0;

  /** The tag of the public key in SEC 1. */
  static final int SEC1_PUBLIC = 0xa1;

  private KeyReader() {}

  /**
   * Reads a private key; or a public key, a certificate or, in PEM, the public key of a private
   * one.
   *
   * @param type the type of DER that the script names: {@code pkcs1}, {@code pkcs8}, {@code sec1}
   *     or {@code spki}; null for PEM, whose label is the type
   * @throws NodeError if the key cannot be read
   */
  static KeyMaterial read(byte[] input, String type, boolean isPrivate) {
    try {
      if (isPrivate) {
        return type == null ? privatePem(input) : privateDer(input, type);
      }
      return KeyMaterial.of(type == null ? publicPem(input) : publicDer(input, type));
    } catch (GeneralSecurityException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw unsupported();
    }
  }

  /** Returns the error of OpenSSL for a key that cannot be read. */
  private static NodeError unsupported() {
    return NodeError.openSsl("1E08010C", "DECODER routines", "unsupported", "ERR_OSSL_UNSUPPORTED");
  }

  /** Finds the first PEM block. */
  private static Matcher pem(byte[] input) {
    Matcher pem = PEM.matcher(TextEncoding.LATIN1.decode(ByteView.of(input)));
    if (!pem.find()) {
      throw unsupported();
    }
    return pem;
  }

  /** Returns the content of a PEM block. */
  private static byte[] der(Matcher pem) {
    return TextEncoding.decodeBase64(pem.group(2));
  }

  private static KeyMaterial privatePem(byte[] input) throws GeneralSecurityException {
    Matcher pem = pem(input);
    return switch (pem.group(1)) {
      case "PRIVATE KEY" -> privateDer(der(pem), "pkcs8");
      case "RSA PRIVATE KEY" -> privateDer(der(pem), "pkcs1");
      case "EC PRIVATE KEY" -> privateDer(der(pem), "sec1");
      case "ENCRYPTED PRIVATE KEY" ->
          throw NodeError.unavailable("A private key with a passphrase");
      default -> throw unsupported();
    };
  }

  private static KeyMaterial privateDer(byte[] der, String type) throws GeneralSecurityException {
    byte[] pkcs8 =
        type.equals("pkcs1") ? pkcs8(RSA_ALGORITHM, der) : type.equals("sec1") ? ofSec1(der) : der;
    PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(pkcs8);
    return KeyMaterial.of(generated(factory -> factory.generatePrivate(spec)), pkcs8);
  }

  /** Generates a key by the first factory that accepts its encoding. */
  private static <K> K generated(Generator<K> generator) throws GeneralSecurityException {
    for (String family : FAMILIES) {
      try {
        return generator.generate(KeyFactory.getInstance(family));
      } catch (InvalidKeySpecException e) {
        continue;
      }
    }
    throw unsupported();
  }

  private interface Generator<K> {
    K generate(KeyFactory factory) throws InvalidKeySpecException;
  }

  /** Wraps a key in another format as PKCS #8. */
  private static byte[] pkcs8(byte[] algorithm, byte[] der) {
    return Der.value(Der.SEQUENCE, ZERO, algorithm, Der.value(Der.OCTETS, der));
  }

  /** Wraps SEC 1 as PKCS #8, whose algorithm includes the curve. */
  private static byte[] ofSec1(byte[] der) {
    Der key = Der.inside(der, Der.SEQUENCE);
    key.whole();
    key.whole();
    byte[] curve = key.content(SEC1_CURVE);
    return pkcs8(Der.value(Der.SEQUENCE, EC_ALGORITHM, curve), der);
  }

  private static PublicKey publicPem(byte[] input) throws GeneralSecurityException {
    Matcher pem = pem(input);
    return switch (pem.group(1)) {
      case "PUBLIC KEY" -> publicDer(der(pem), "spki");
      case "RSA PUBLIC KEY" -> publicDer(der(pem), "pkcs1");
      case "CERTIFICATE" ->
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(der(pem)))
              .getPublicKey();
      default -> privatePem(input).publicKey();
    };
  }

  private static PublicKey publicDer(byte[] der, String type) throws GeneralSecurityException {
    byte[] spki =
        type.equals("pkcs1")
            ? Der.value(Der.SEQUENCE, RSA_ALGORITHM, Der.value(Der.BITS, NO_UNUSED_BITS, der))
            : der;
    X509EncodedKeySpec spec = new X509EncodedKeySpec(spki);
    PublicKey key = generated(factory -> factory.generatePublic(spec));
    if (key instanceof ECPublicKey ec && !JwkKeys.isOnCurve(ec)) {
      throw unsupported();
    }
    return key;
  }

  /**
   * Returns the public key of a private key.
   *
   * @param pkcs8 the private key as it was read
   * @throws NodeError if the public key is not part of it
   */
  static PublicKey publicOf(PrivateKey key, byte[] pkcs8) {
    try {
      if (key instanceof RSAPrivateCrtKey rsa) {
        RSAPublicKeySpec spec = new RSAPublicKeySpec(rsa.getModulus(), rsa.getPublicExponent());
        return KeyFactory.getInstance("RSA").generatePublic(spec);
      }
      if (key instanceof EdECPrivateKey edwards) {
        return KeyGeneration.publicOf(edwards);
      }
      byte[] spki = spkiOfEc(pkcs8);
      return spki == null ? KeyGeneration.publicOf((ECPrivateKey) key) : publicDer(spki, "spki");
    } catch (GeneralSecurityException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw NodeError.unavailable("A public key that its private key does not carry");
    }
  }

  /** Returns the SPKI of an EC key; null if it has no public part, which is optional in SEC 1. */
  private static byte[] spkiOfEc(byte[] pkcs8) {
    Der outer = Der.inside(pkcs8, Der.SEQUENCE);
    outer.whole();
    byte[] algorithm = outer.whole();
    Der key = Der.inside(outer.content(Der.OCTETS), Der.SEQUENCE);
    while (key.tag() != SEC1_PUBLIC) {
      if (key.tag() < 0) {
        return null;
      }
      key.whole();
    }
    return Der.value(Der.SEQUENCE, algorithm, key.content(SEC1_PUBLIC));
  }

  /** Returns the content of PKCS #8 or SPKI, which is PKCS #1 for an RSA key. */
  static byte[] pkcs1(byte[] encoded, boolean isPrivate) {
    Der outer = Der.inside(encoded, Der.SEQUENCE);
    if (isPrivate) {
      outer.whole();
    }
    outer.whole();
    byte[] content = outer.content(isPrivate ? Der.OCTETS : Der.BITS);
    return isPrivate ? content : Arrays.copyOfRange(content, 1, content.length);
  }

  /**
   * Reader and writer of the part of DER (ITU-T X.690) that converts keys between formats, since
   * the JDK reads PKCS #8 and SPKI only.
   *
   * <p>The input is not trusted: malformed data causes an {@link IllegalArgumentException} or an
   * {@link IndexOutOfBoundsException}, which callers catch.
   */
  static final class Der {
    /** The tag of INTEGER. */
    static final int INTEGER = 0x02;

    /** The tag of BIT STRING. */
    static final int BITS = 0x03;

    /** The tag of OCTET STRING. */
    static final int OCTETS = 0x04;

    /** The tag of SEQUENCE. */
    static final int SEQUENCE = 0x30;

    private final byte[] bytes;

    /** The index of the next value. */
    private int next;

    private Der(byte[] bytes) {
      this.bytes = bytes;
    }

    /**
     * Returns a reader of the content of a value.
     *
     * @throws IllegalArgumentException if it has another tag
     */
    static Der inside(byte[] value, int tag) {
      return new Der(new Der(value).content(tag));
    }

    /** Returns the tag of the next value; -1 if there is none. */
    int tag() {
      return next < bytes.length ? bytes[next] & 0xff : -1;
    }

    /**
     * Reads the next value and returns its content.
     *
     * @throws IllegalArgumentException if it has another tag
     */
    byte[] content(int tag) {
      if (tag() != tag) {
        throw new IllegalArgumentException("another tag");
      }
      int start = next;
      whole();
      return Arrays.copyOfRange(bytes, start + header(start), next);
    }

    /**
     * Reads the next value and returns it with its tag and length.
     *
     * @throws IllegalArgumentException if it is incomplete
     */
    byte[] whole() {
      int start = next;
      int header = header(start);
      long end = start + header + length(start);
      if (end > bytes.length) {
        throw new IllegalArgumentException("cut off");
      }
      next = (int) end;
      return Arrays.copyOfRange(bytes, start, next);
    }

    private int header(int start) {
      int first = bytes[start + 1] & 0xff;
      return first < 0x80 ? 2 : 2 + (first & 0x7f);
    }

    /** Returns the length of the content, which may be in the short or the long form. */
    private long length(int start) {
      int first = bytes[start + 1] & 0xff;
      if (first < 0x80) {
        return first;
      }
      if ((first & 0x7f) > 4) {
        throw new IllegalArgumentException("too long");
      }
      long length = 0;
      for (int i = 0; i < (first & 0x7f); i++) {
        length = (length << 8) | (bytes[start + 2 + i] & 0xff);
      }
      return length;
    }

    /**
     * Encodes a value.
     *
     * @param parts the content, in parts that are joined
     */
    static byte[] value(int tag, byte[]... parts) {
      ByteArrayOutputStream content = new ByteArrayOutputStream();
      for (byte[] part : parts) {
        content.writeBytes(part);
      }
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.write(tag);
      writeLength(out, content.size());
      out.writeBytes(content.toByteArray());
      return out.toByteArray();
    }

    private static void writeLength(ByteArrayOutputStream out, int length) {
      if (length < 0x80) {
        out.write(length);
        return;
      }
      int count = (39 - Integer.numberOfLeadingZeros(length)) / 8;
      out.write(0x80 | count);
      for (int i = count - 1; i >= 0; i--) {
        out.write(length >> (8 * i));
      }
    }
  }
}
