package io.tokenvault.server.process.serve;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.environment.TestSize;
import io.tokenvault.server.process.fixture.ChecksumDestination;
import io.tokenvault.server.process.fixture.DataDirectories;
import io.tokenvault.server.process.fixture.PatternInputStream;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests proxied bodies that are larger than the heap, streamed or buffered. */
@Tag("long")
@Timeout(600)
final class SmallHeapTest {

  private static final long MEBIBYTE = 1 << 20;
  private static final int BUFFERED_BYTES = 10 << 20;
  private static final int CONCURRENT_REQUESTS = 3;
  private static final int ROUNDS = TestSize.IS_FULL ? 4 : 2;
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @ParameterizedTest
  @CsvSource({"64, 48m", "384, 128m"})
  void bodyLargerThanHeapIsStreamedBothWays(int mebibytes, String heap) throws Exception {
    long length = mebibytes * MEBIBYTE;
    try (ChecksumDestination destination = new ChecksumDestination();
        VaultProcess server = VaultProcess.serve(heap, settings())) {
      ProxyClient proxy = new ProxyClient(server.url(), createKey(server), destination.url());
      String expected = PatternInputStream.summary(length);
      assertThat(proxy.upload("application/octet-stream", withLength(length))).isEqualTo(expected);
      assertThat(proxy.upload("application/octet-stream", chunked(length))).isEqualTo(expected);
      assertThat(proxy.upload("text/plain", withLength(length))).isEqualTo(expected);
      assertThat(proxy.download("/length/" + length)).isEqualTo(expected);
      assertThat(proxy.download("/chunked/" + length)).isEqualTo(expected);
      assertThat(server.err()).doesNotContain("OutOfMemory");
    }
  }

  @Test
  void concurrentBodiesBeyondTheMemoryBudgetAreRejected() throws Exception {
    Map<String, String> settings = settings();
    settings.put("VAULT_PROXY_HELD_BODY_BYTES", Long.toString(BUFFERED_BYTES));
    try (ChecksumDestination destination = new ChecksumDestination();
        VaultProcess server = VaultProcess.serve("128m", settings)) {
      String key = createKey(server);
      String token = new Client(server.url(), key).token("x");
      ProxyClient proxy = new ProxyClient(server.url(), key, destination.url());
      for (int round = 0; round < ROUNDS; round++) {
        assertThat(proxy.concurrentStatuses(json(token, BUFFERED_BYTES)))
            .as(server::err)
            .allSatisfy(status -> assertThat(status).isIn(200, 503));
        // Memory is released shortly after the response.
        server.await(
            "memory for a single request",
            () -> proxy.status(json(token, BUFFERED_BYTES)).join() == 200);
      }
      assertThat(server.isAlive()).isTrue();
      assertThat(server.err()).doesNotContain("OutOfMemory");
    }
  }

  /** Returns JSON with a long string that ends with an expression. */
  private static byte[] json(String token, int length) {
    byte[] body = new byte[length];
    Arrays.fill(body, (byte) 'x');
    byte[] beginning = "{\"a\":\"".getBytes(US_ASCII);
    byte[] end = ("{{" + token + "}}\"}").getBytes(US_ASCII);
    System.arraycopy(beginning, 0, body, 0, beginning.length);
    System.arraycopy(end, 0, body, length - end.length, end.length);
    return body;
  }

  private Map<String, String> settings() {
    Map<String, String> settings = ChecksumDestination.settings(DataDirectories.withTenant());
    // A buffered body has to be smaller than a quarter of the heap.
    settings.put("VAULT_PROXY_HELD_BODY_BYTES", Long.toString(4 * MEBIBYTE));
    return settings;
  }

  private static String createKey(VaultProcess server) {
    JsonNode draft = TenantFixture.draft("private", "token:use", "token:create");
    Client management = new Client(server.url(), DataDirectories.tenant());
    return management.post("/applications", draft).expect(201).text("key");
  }

  private static BodyPublisher chunked(long length) {
    return BodyPublishers.ofInputStream(() -> new PatternInputStream(length));
  }

  private static BodyPublisher withLength(long length) {
    return BodyPublishers.fromPublisher(chunked(length), length);
  }

  private record ProxyClient(String vault, String key, String destination) {

    List<Integer> concurrentStatuses(byte[] body) {
      List<CompletableFuture<Integer>> statuses =
          Stream.generate(() -> status(body)).limit(CONCURRENT_REQUESTS).toList();
      return statuses.stream().map(CompletableFuture::join).toList();
    }

    CompletableFuture<Integer> status(byte[] body) {
      HttpRequest request =
          request("/")
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofByteArray(body))
              .build();
      return CLIENT
          .sendAsync(request, BodyHandlers.discarding())
          .thenApply(HttpResponse::statusCode);
    }

    String upload(String contentType, BodyPublisher body) throws Exception {
      return summary(request("/").header("Content-Type", contentType).POST(body), false);
    }

    String download(String path) throws Exception {
      return summary(request(path).GET(), true);
    }

    private HttpRequest.Builder request(String path) {
      return HttpRequest.newBuilder(URI.create(vault + "/proxy" + path))
          .header("SVC-API-KEY", key)
          .header("SVC-PROXY-URL", destination);
    }

    private static String summary(HttpRequest.Builder request, boolean ofBody) throws Exception {
      HttpResponse<InputStream> response =
          CLIENT.send(request.build(), BodyHandlers.ofInputStream());
      try (InputStream body = response.body()) {
        String text =
            ofBody ? PatternInputStream.summary(body) : new String(body.readAllBytes(), US_ASCII);
        assertThat(response.statusCode()).as("%s", text).isEqualTo(200);
        return text;
      }
    }
  }
}
