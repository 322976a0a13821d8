package io.tokenvault.server.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;

/** A destination with TLS on the loopback interface that answers with the body it received. */
final class EchoDestination implements AutoCloseable {

  static final String HOST = "echo.test";

  private final HeldCertificate certificate =
      new HeldCertificate.Builder()
          .addSubjectAlternativeName(HOST)
          // Also for servers whose clock is wrong.
          .validityInterval(dayFromNow(-1000), dayFromNow(1000))
          .build();
  private final MockWebServer server = new MockWebServer();

  private static long dayFromNow(int days) {
    return System.currentTimeMillis() + Duration.ofDays(days).toMillis();
  }

  EchoDestination() {
    server.useHttps(
        new HandshakeCertificates.Builder()
            .heldCertificate(certificate)
            .build()
            .sslSocketFactory());
    server.setDispatcher(
        new Dispatcher() {
          @Override
          public MockResponse dispatch(RecordedRequest request) {
            return new MockResponse.Builder().body(request.getBody().utf8()).build();
          }
        });
    try {
      server.start(InetAddress.getLoopbackAddress(), 0);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  String url() {
    return "https://" + HOST + ":" + server.getPort();
  }

  int count() {
    return server.getRequestCount();
  }

  /** Settings of a server that reaches it. */
  Map<String, String> reachableFrom(Map<String, String> settings, Path directory) {
    Map<String, String> all = new HashMap<>(settings);
    all.put("VAULT_EGRESS_CA_FILE", authority(directory).toString());
    all.put("VAULT_EGRESS_PRIVATE_HOSTS", HOST);
    all.put("VAULT_EGRESS_HOST_OVERRIDES", HOST + "=127.0.0.1");
    return all;
  }

  private Path authority(Path directory) {
    try {
      return Files.writeString(directory.resolve("echo-ca.pem"), certificate.certificatePem());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
