package io.tokenvault.server.process.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.RunningVault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that does TLS itself. */
@Timeout(600)
final class InboundTlsTest {

  private static final String HOST = "127.0.0.1";

  @TempDir private Path directory;
  private Path certificateFile;
  private Path keyFile;

  @BeforeEach
  void nameFiles() {
    certificateFile = directory.resolve("cert.pem");
    keyFile = directory.resolve("key.pem");
  }

  private static HeldCertificate certificate(String name) {
    return new HeldCertificate.Builder().commonName(name).addSubjectAlternativeName(HOST).build();
  }

  private void install(HeldCertificate certificate) throws IOException {
    replace(keyFile, certificate.privateKeyPkcs8Pem());
    replace(certificateFile, certificate.certificatePem());
  }

  private static void replace(Path file, String content) throws IOException {
    Path draft = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), content);
    Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
  }

  private static String presented(int port) {
    X509Certificate[] seen = new X509Certificate[1];
    try (SSLSocket socket = (SSLSocket) noting(seen).getSocketFactory().createSocket(HOST, port)) {
      socket.startHandshake();
      return seen[0].getSubjectX500Principal().getName();
    } catch (IOException | GeneralSecurityException failed) {
      return failed.toString();
    }
  }

  private static SSLContext noting(X509Certificate[] seen) throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Noting(seen)}, null);
    return context;
  }

  @Test
  void replacedCertificateIsUsedWithoutARestart() throws IOException {
    install(certificate("first"));
    Map<String, String> tls =
        Map.of(
            "VAULT_HOST", "0.0.0.0",
            "VAULT_TLS_CERT_FILE", certificateFile.toString(),
            "VAULT_TLS_KEY_FILE", keyFile.toString());
    try (RunningVault.Node server = RunningVault.shared().node(tls)) {
      assertThat(server.vault().url()).startsWith("https://");
      assertThat(presented(server.port())).isEqualTo("CN=first");
      install(certificate("second"));
      Eventually.holds(
          "the new certificate",
          Duration.ofSeconds(60),
          () -> presented(server.port()).equals("CN=second"));
    }
  }

  private record Noting(X509Certificate[] seen) implements X509TrustManager {

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {
      seen[0] = chain[0];
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
