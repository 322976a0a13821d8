package io.tokenvault.server.process.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.RunningVault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import javax.net.ssl.SSLSocket;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests a server that terminates TLS. */
@Timeout(600)
final class InboundTlsTest {

  private static final String HOST = "localhost";

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

  private static String presentedCertificate(int port) {
    HandshakeCertificates anyServer =
        new HandshakeCertificates.Builder().addInsecureHost(HOST).build();
    try (SSLSocket socket = (SSLSocket) anyServer.sslSocketFactory().createSocket(HOST, port)) {
      return socket.getSession().getPeerPrincipal().getName();
    } catch (IOException failed) {
      return failed.toString();
    }
  }

  @Tag("long")
  @Test
  void replacedCertificateIsUsedWithoutRestart() throws IOException {
    install(certificate("first"));
    Map<String, String> tls =
        Map.of(
            "VAULT_HOST", "0.0.0.0",
            "VAULT_TLS_CERT_FILE", certificateFile.toString(),
            "VAULT_TLS_KEY_FILE", keyFile.toString());
    try (RunningVault.Node server = RunningVault.shared().node(tls)) {
      assertThat(server.vault().url()).startsWith("https://");
      assertThat(presentedCertificate(server.port())).isEqualTo("CN=first");
      install(certificate("second"));
      Eventually.holds(
          "the new certificate",
          Duration.ofSeconds(60),
          () -> presentedCertificate(server.port()).equals("CN=second"));
    }
  }
}
