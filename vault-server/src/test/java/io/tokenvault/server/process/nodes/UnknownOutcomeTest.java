package io.tokenvault.server.process.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.process.fixture.Http;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The server dies between sending a request and its answer: nobody sends it a second time. */
@Tag("long")
final class UnknownOutcomeTest {

  private static final String HOST = "slow.test";

  private final HttpClient client = HttpClient.newHttpClient();
  private final HeldCertificate certificate =
      new HeldCertificate.Builder().commonName(HOST).addSubjectAlternativeName(HOST).build();

  @TempDir private Path directory;

  @Test
  @Timeout(600)
  void requestOfKilledServerIsNotSentAgain() throws Exception {
    try (MockWebServer destination = destination()) {
      Map<String, String> settings = settings();
      String key;
      try (VaultProcess server = VaultProcess.serve(settings)) {
        key = application(server, settings);
        CompletableFuture<HttpResponse<String>> first =
            client.sendAsync(request(server, destination, key, "c-1"), BodyHandlers.ofString());
        assertThat(destination.takeRequest(60, TimeUnit.SECONDS)).isNotNull();
        server.kill();
        assertThatThrownBy(() -> first.get(60, TimeUnit.SECONDS))
            .hasCauseInstanceOf(IOException.class);
      }
      try (VaultProcess server = VaultProcess.serve(settings)) {
        VaultProcess.awaitThat(
            "that the first one is not taken for running any more",
            () ->
                !type(send(request(server, destination, key, "c-1"))).endsWith("request-running"));

        HttpResponse<String> repeat = send(request(server, destination, key, "c-1"));

        assertThat(repeat.statusCode()).isEqualTo(409);
        assertThat(type(repeat)).isEqualTo("urn:tokenvault:problem:outcome-unknown");
        assertThat(destination.getRequestCount()).isEqualTo(1);
      }
    }
  }

  /** Takes requests and never answers. */
  private MockWebServer destination() throws IOException {
    MockWebServer destination = new MockWebServer();
    destination.useHttps(
        new HandshakeCertificates.Builder()
            .heldCertificate(certificate)
            .build()
            .sslSocketFactory());
    destination.setDispatcher(
        new Dispatcher() {
          @Override
          public MockResponse dispatch(RecordedRequest request) {
            return new MockResponse.Builder().headersDelay(10, TimeUnit.MINUTES).build();
          }
        });
    destination.start(InetAddress.getLoopbackAddress(), 0);
    return destination;
  }

  private Map<String, String> settings() throws IOException {
    Path authority = Files.writeString(directory.resolve("ca.pem"), certificate.certificatePem());
    Map<String, String> settings = new HashMap<>();
    settings.put("VAULT_DATA_DIR", directory.resolve("data").toString());
    settings.put("VAULT_EGRESS_CA_FILE", authority.toString());
    settings.put("VAULT_EGRESS_PRIVATE_HOSTS", HOST);
    settings.put("VAULT_EGRESS_HOST_OVERRIDES", HOST + "=127.0.0.1");
    settings.put("VAULT_PROXY_ANSWER_TIMEOUT_MS", "600000");
    return settings;
  }

  /** The key of an application that may use the proxy. */
  private String application(VaultProcess server, Map<String, String> settings) {
    VaultProcess made = VaultProcess.run(settings, "tenant", "create", "--name", "Acme");
    JsonNode tenant = Http.json(made.out());
    Http management = new Http(server.url(), tenant.path("key").asText());
    return management
        .made(
            "/applications",
            "{\"name\": \"app\", \"type\": \"private\", \"permissions\": [\"token:use\"]}")
        .path("key")
        .asText();
  }

  private static HttpRequest request(
      VaultProcess server, MockWebServer destination, String key, String idempotencyKey) {
    return HttpRequest.newBuilder(URI.create(server.url() + "/proxy/charges"))
        .timeout(Duration.ofMinutes(2))
        .header("SVC-API-KEY", key)
        .header("SVC-PROXY-URL", "https://" + HOST + ":" + destination.getPort())
        .header("SVC-IDEMPOTENCY-KEY", idempotencyKey)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString("{}"))
        .build();
  }

  private HttpResponse<String> send(HttpRequest request) {
    try {
      return client.send(request, BodyHandlers.ofString());
    } catch (IOException | InterruptedException failed) {
      throw new AssertionError(failed);
    }
  }

  private static String type(HttpResponse<String> response) {
    return Http.json(response.body()).path("proxy_error").path("type").asText();
  }
}
