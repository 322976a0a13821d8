package io.tokenvault.adapters.http.server;

import io.tokenvault.adapters.http.server.HttpSettings.TlsFiles;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.interfaces.RSAKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.PSSParameterSpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** Reads a certificate chain and its private key from PEM files into an in-memory key store. */
final class PemKeyStore {

  private static final Pattern PRIVATE_KEY =
      Pattern.compile(
          "-----BEGIN (RSA )?PRIVATE KEY-----([^-]*)-----END (?:RSA )?PRIVATE KEY-----");

  private static final String RSA_PSS = "RSASSA-PSS";

  private static final Map<String, String> SIGNATURES =
      Map.of("RSA", "SHA256withRSA", RSA_PSS, RSA_PSS, "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

  /** Parameters of RSA-PSS for a key that is not restricted to others. */
  private static final AlgorithmParameterSpec PSS_PARAMETERS =
      new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1);

  /** The start of a PKCS #8 structure for RSA: version 0 and the algorithm identifier. */
  private static final byte[] RSA_HEADER =
      HexFormat.of().parseHex("020100300d06092a864886f70d0101010500");

  private PemKeyStore() {}

  /**
   * Reads a certificate chain and its private key.
   *
   * @return an action that sets both on a factory of TLS contexts
   * @throws UnusableException if the files have other content, or the key does not match the
   *     certificate
   * @throws IOException if the files cannot be read
   */
  static Consumer<SslContextFactory> read(TlsFiles files) throws IOException {
    byte[] chainPem = Files.readAllBytes(files.certificate());
    String keyPem = new String(Files.readAllBytes(files.privateKey()), StandardCharsets.ISO_8859_1);
    try {
      Certificate[] chain = chain(chainPem);
      PrivateKey key = key(keyPem, chain[0]);
      // The store exists in memory only, so any password serves.
      String password = UUID.randomUUID().toString();
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(null, null);
      keys.setKeyEntry("server", key, password.toCharArray(), chain);
      return factory -> {
        factory.setKeyStore(keys);
        factory.setKeyStorePassword(password);
      };
    } catch (GeneralSecurityException outOfOrder) {
      throw new UnusableException(
          "the certificates are not a chain in which each is followed by its issuer's");
    }
  }

  private static Certificate[] chain(byte[] pem) throws UnusableException {
    try {
      Certificate[] chain =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(pem))
              .toArray(Certificate[]::new);
      if (chain.length > 0) {
        return chain;
      }
    } catch (CertificateException unreadable) {
      // Reported below, like a file without a certificate.
    }
    throw new UnusableException(
        "the certificate file must contain a PEM certificate chain and nothing else");
  }

  private static PrivateKey key(String pem, Certificate certificate) throws UnusableException {
    Matcher block = PRIVATE_KEY.matcher(pem);
    if (!block.find()) {
      throw new UnusableException(
          "the key file contains no unencrypted PEM private key (PKCS #8, or PKCS #1 for RSA)");
    }
    try {
      byte[] der = Base64.getMimeDecoder().decode(block.group(2));
      PrivateKey key =
          KeyFactory.getInstance(certificate.getPublicKey().getAlgorithm())
              .generatePrivate(
                  new PKCS8EncodedKeySpec(block.group(1) == null ? der : wrapped(der)));
      requirePair(key, certificate);
      return key;
    } catch (GeneralSecurityException | IllegalArgumentException ofAnother) {
      throw new UnusableException("the private key does not match the certificate");
    }
  }

  /**
   * Checks that the key matches the certificate by signing and verifying, since a key store accepts
   * any pair.
   */
  private static void requirePair(PrivateKey key, Certificate certificate)
      throws GeneralSecurityException {
    String algorithm =
        Optional.ofNullable(SIGNATURES.get(key.getAlgorithm()))
            .orElseThrow(() -> new IllegalArgumentException("a private key of another kind"));
    // Java 17 rejects EdDSA signatures of an empty message.
    byte[] message = {1};
    Signature signature = Signature.getInstance(algorithm);
    if (algorithm.equals(RSA_PSS)) {
      AlgorithmParameterSpec own = ((RSAKey) key).getParams();
      signature.setParameter(own == null ? PSS_PARAMETERS : own);
    }
    signature.initSign(key);
    signature.update(message);
    byte[] signed = signature.sign();
    signature.initVerify(certificate);
    signature.update(message);
    if (!signature.verify(signed)) {
      throw new IllegalArgumentException("a private key of another certificate");
    }
  }

  /** Converts a PKCS #1 key to PKCS #8. */
  private static byte[] wrapped(byte[] pkcs1) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    content.writeBytes(RSA_HEADER);
    content.writeBytes(tagged(0x04, pkcs1));
    return tagged(0x30, content.toByteArray());
  }

  /** Returns a DER element: tag, length, content. */
  private static byte[] tagged(int tag, byte[] content) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    if (content.length < 0x80) {
      out.write(content.length);
    } else {
      byte[] length = BigInteger.valueOf(content.length).toByteArray();
      int start = length[0] == 0 ? 1 : 0;
      out.write(0x80 | (length.length - start));
      out.write(length, start, length.length - start);
    }
    out.writeBytes(content);
    return out.toByteArray();
  }

  /**
   * Thrown when the files are readable but cannot be used. The message is for the operator and
   * contains nothing of the files.
   */
  static final class UnusableException extends IOException {

    private static final long serialVersionUID = 1L;

    UnusableException(String message) {
      super(message);
    }
  }
}
