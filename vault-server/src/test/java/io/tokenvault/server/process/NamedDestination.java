package io.tokenvault.server.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.Headers;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;

/** A destination under two names that answers with the name it was called by and the body. */
final class NamedDestination implements AutoCloseable {

  static final String ONE = "one.test";
  static final String OTHER = "other.test";

  private final HeldCertificate certificate =
      new HeldCertificate.Builder()
          .addSubjectAlternativeName(ONE)
          .addSubjectAlternativeName(OTHER)
          .build();
  private final MockWebServer server = new MockWebServer();

  NamedDestination() {
    server.useHttps(
        new HandshakeCertificates.Builder()
            .heldCertificate(certificate)
            .build()
            .sslSocketFactory());
    server.setDispatcher(
        new Dispatcher() {
          @Override
          public MockResponse dispatch(RecordedRequest request) {
            return new MockResponse.Builder().body(answer(request)).build();
          }
        });
    try {
      server.start(InetAddress.getLoopbackAddress(), 0);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static String answer(RecordedRequest request) {
    Headers headers = request.getHeaders();
    String host = headers.get("Host") == null ? request.getUrl().host() : headers.get("Host");
    String name = host.startsWith(ONE) ? ONE : OTHER;
    return name + " " + (request.getBody() == null ? "" : request.getBody().utf8());
  }

  String url(String name) {
    return "https://" + name + ":" + server.getPort();
  }

  int count() {
    return server.getRequestCount();
  }

  /** By which a vault finds it, and may. */
  Map<String, String> settings(Path directory) {
    try {
      Path authority = directory.resolve("named-ca.pem");
      Files.writeString(authority, certificate.certificatePem());
      return Map.of(
          "VAULT_EGRESS_CA_FILE",
          authority.toString(),
          "VAULT_EGRESS_PRIVATE_HOSTS",
          ONE + "," + OTHER,
          "VAULT_EGRESS_HOST_OVERRIDES",
          ONE + "=127.0.0.1," + OTHER + "=127.0.0.1");
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
