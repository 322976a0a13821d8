package io.tokenvault.server.process.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.process.fixture.CommandRun;
import io.tokenvault.server.process.fixture.Directories;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that does TLS itself. */
@Timeout(600)
final class InboundTlsTest {

  private static final String HOST = "127.0.0.1";

  private final Path data = Directories.used();
  private final Path certificateFile = data.resolveSibling("cert.pem");
  private final Path keyFile = data.resolveSibling("key.pem");

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
  void aReplacedCertificateIsPickedUpWithoutARestart() throws IOException {
    install(certificate("first"));
    Map<String, String> settings = new HashMap<>(Directories.settings(data));
    settings.put("VAULT_HOST", "0.0.0.0");
    settings.put("VAULT_TLS_CERT_FILE", certificateFile.toString());
    settings.put("VAULT_TLS_KEY_FILE", keyFile.toString());
    try (VaultProcess server = VaultProcess.serve(settings)) {
      URI url = URI.create(server.url());
      assertThat(url.getScheme()).isEqualTo("https");
      assertThat(presented(url.getPort())).isEqualTo("CN=first");
      install(certificate("second"));
      server.await("the new certificate", () -> presented(url.getPort()).equals("CN=second"));
    }
  }

  @Test
  void filesThatAreNoCertificateAreRefused() throws IOException {
    Files.writeString(certificateFile, "no certificate");
    Files.writeString(keyFile, "planted-key-text");
    assertThat(refused()).contains("the file of the certificate holds no certificate chain");

    install(certificate("first"));
    Files.writeString(keyFile, "planted-key-text");
    assertThat(refused()).contains("the file of the key holds no private key");
  }

  @Test
  void theKeyOfAnotherCertificateIsRefused() throws IOException {
    install(certificate("first"));
    replace(keyFile, certificate("second").privateKeyPkcs8Pem());
    assertThat(refused()).contains("the private key is not the one of the certificate");
  }

  /** On a directory that is not there, and must not be afterwards. */
  private String refused() {
    Path unused = Directories.fresh();
    Map<String, String> settings = new HashMap<>(Directories.settings(unused));
    settings.put("VAULT_PORT", "0");
    settings.put("VAULT_TLS_CERT_FILE", certificateFile.toString());
    settings.put("VAULT_TLS_KEY_FILE", keyFile.toString());
    CommandRun refused = CommandRun.run(settings, "serve").expectExit(3);
    assertThat(refused.err())
        .contains("VAULT_TLS_CERT_FILE and VAULT_TLS_KEY_FILE: ")
        .doesNotContain("planted-key-text", "fault of the program");
    assertThat(unused).doesNotExist();
    return refused.err();
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
