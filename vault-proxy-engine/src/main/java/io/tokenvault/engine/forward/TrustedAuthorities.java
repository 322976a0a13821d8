package io.tokenvault.engine.forward;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/**
 * Certificate authorities that may certify destinations: the system's, and additional ones of the
 * operator.
 */
public final class TrustedAuthorities {

  private final X509TrustManager manager;

  private TrustedAuthorities(X509TrustManager manager) {
    this.manager = manager;
  }

  /**
   * Loads the authorities.
   *
   * @param extraAuthorities a PEM file of certificates, trusted in addition to the system's
   * @throws IllegalArgumentException if the file cannot be read or contains no certificate
   */
  public static TrustedAuthorities load(Optional<Path> extraAuthorities) {
    try {
      X509TrustManager system = manager(null);
      X509TrustManager manager =
          extraAuthorities.isEmpty() ? system : manager(merged(system, extraAuthorities.get()));
      return new TrustedAuthorities(manager);
    } catch (GeneralSecurityException | IOException unusable) {
      throw new IllegalArgumentException(
          "the file of extra certificate authorities cannot be used", unusable);
    }
  }

  /** Returns a trust manager for anchors; null stands for the system's. */
  private static X509TrustManager manager(KeyStore anchors) throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(anchors);
    return (X509TrustManager) factory.getTrustManagers()[0];
  }

  /** Returns the system's authorities and those of the file as one keystore. */
  private static KeyStore merged(X509TrustManager system, Path file)
      throws GeneralSecurityException, IOException {
    KeyStore anchors = KeyStore.getInstance(KeyStore.getDefaultType());
    anchors.load(null, null);
    List<X509Certificate> authorities = new ArrayList<>(certificates(file));
    authorities.addAll(List.of(system.getAcceptedIssuers()));
    for (X509Certificate authority : authorities) {
      anchors.setCertificateEntry("authority-" + anchors.size(), authority);
    }
    return anchors;
  }

  /** Reads a PEM file. */
  private static List<X509Certificate> certificates(Path file)
      throws GeneralSecurityException, IOException {
    try (InputStream pem = Files.newInputStream(file)) {
      List<X509Certificate> read =
          CertificateFactory.getInstance("X.509").generateCertificates(pem).stream()
              .map(X509Certificate.class::cast)
              .toList();
      if (read.isEmpty()) {
        throw new IllegalArgumentException(
            "the file of extra certificate authorities contains no certificate");
      }
      return read;
    }
  }

  X509TrustManager manager() {
    return manager;
  }

  /** Returns a factory of TLS connections that present no client certificate. */
  SSLSocketFactory sockets() {
    return sockets(new KeyManager[0]);
  }

  /**
   * Returns a factory of TLS connections. TLS sessions are not shared with other factories.
   *
   * @param own certificates that peers may request
   */
  SSLSocketFactory sockets(KeyManager[] own) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(own, new TrustManager[] {manager}, null);
      return context.getSocketFactory();
    } catch (GeneralSecurityException unavailable) {
      throw new IllegalStateException("the platform has no TLS", unavailable);
    }
  }
}
