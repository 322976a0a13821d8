package io.tokenvault.server.process.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.process.fixture.ChecksumDestination;
import io.tokenvault.server.process.fixture.DataDirectories;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests that API requests that need too much memory together are rejected, while other requests
 * succeed.
 */
@Tag("long")
@Timeout(600)
final class SmallHeapApiTest {

  private static final int LARGE = 1_000_000;
  private static final int STORED_TOKENS = 30;
  private static final int CONCURRENT_REQUESTS = 24;
  private static final int ATTACKERS = 8;
  private static final int OTHER_REQUESTS = 15;
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private VaultProcess server;
  private String key;

  @Test
  void largeTokensAreCreatedAndShownWithinMemoryBudget() throws Exception {
    try (ChecksumDestination destination = new ChecksumDestination();
        VaultProcess started =
            VaultProcess.serve(
                "256m", ChecksumDestination.settings(DataDirectories.withTenant()))) {
      server = started;
      key = createKey();
      List<String> ids = storeTokens();

      assertSomeSucceed(201, () -> post("/tokens", token()));
      assertSomeSucceed(200, () -> post("/tokenize", "[" + token() + "]"));
      assertSomeSucceed(200, () -> request("/tokens?size=2").GET());
      assertSomeSucceed(200, () -> request("/tokens/" + ids.get(0)).GET());
      assertSomeSucceed(200, () -> post("/detokenize", expressions(ids.subList(0, 2))));

      awaitStatus(413, () -> request("/tokens?size=100").GET());
      awaitStatus(413, () -> post("/detokenize", expressions(ids)));
      awaitStatus(413, () -> post("/detokenize", "[" + "[],".repeat(LARGE) + "1]"));
      attack(ids, destination.url());
      assertThat(server.isAlive()).isTrue();
      assertThat(server.err()).doesNotContain("OutOfMemory");
    }
  }

  /** Sends expensive requests concurrently, and asserts that other requests succeed during them. */
  private void attack(List<String> ids, String destination) {
    Client caller = new Client(server.url(), key);
    String token = caller.token("x");
    String nestedBody = "{\"type\":\"token\",\"data\":[" + "[],".repeat(300_000) + "1]}";
    String nestedToken = caller.post("/tokens", nestedBody).expect(201).text("id");
    List<Supplier<HttpRequest.Builder>> attacks =
        List.of(
            () -> proxyRequest(destination, expressions(ids)),
            () -> post("/detokenize", expressions(ids)),
            () -> request("/tokens?size=100").GET(),
            () -> post("/tokens/search", "{\"query\":\"container:/general/*\",\"size\":100}"),
            () -> proxyRequest(destination, expressions(ids.subList(0, 5))),
            () -> post("/detokenize", expressions(ids.subList(0, 5))),
            () -> request("/tokens/" + nestedToken).GET(),
            () -> request("/tokens?size=4").GET());
    AtomicBoolean done = new AtomicBoolean();
    List<CompletableFuture<Void>> attackers =
        IntStream.range(0, ATTACKERS)
            .mapToObj(
                i ->
                    CompletableFuture.runAsync(() -> repeat(attacks.get(i % attacks.size()), done)))
            .toList();
    for (int i = 0; i < OTHER_REQUESTS; i++) {
      caller.get("/tokens/" + token).expect(200);
      caller.token("y");
      assertThat(send(proxyRequest(destination, "[\"{{" + token + "}}\"]")).join().statusCode())
          .isEqualTo(200);
    }
    done.set(true);
    attackers.forEach(CompletableFuture::join);
  }

  private void repeat(Supplier<HttpRequest.Builder> attack, AtomicBoolean done) {
    while (!done.get()) {
      // On a slow machine, expressions over large data can time out, which is a 400.
      assertStatus(send(attack.get()).join(), 200, 400, 413, 503);
    }
  }

  /** Asserts the status, and that 503 comes with Retry-After. */
  private void assertStatus(HttpResponse<Void> response, Integer... expected) {
    assertThat(response.statusCode()).as(server::err).isIn((Object[]) expected);
    assertThat(response.headers().firstValue("Retry-After").isPresent())
        .isEqualTo(response.statusCode() == 503);
  }

  private HttpRequest.Builder proxyRequest(String destination, String json) {
    return post("/proxy/", json).header("SVC-PROXY-URL", destination);
  }

  /** Asserts that some of many concurrent requests succeed and that all others can be retried. */
  private void assertSomeSucceed(int expected, Supplier<HttpRequest.Builder> request) {
    server.await("some requests to succeed", () -> someSucceed(expected, request));
    awaitStatus(expected, request);
  }

  private boolean someSucceed(int expected, Supplier<HttpRequest.Builder> request) {
    List<CompletableFuture<HttpResponse<Void>>> sent =
        IntStream.range(0, CONCURRENT_REQUESTS).mapToObj(each -> send(request.get())).toList();
    List<HttpResponse<Void>> responses = sent.stream().map(CompletableFuture::join).toList();
    responses.forEach(response -> assertStatus(response, expected, 503));
    return responses.stream().anyMatch(response -> response.statusCode() == expected);
  }

  /** Waits for a status, since memory is released shortly after the previous response. */
  private void awaitStatus(int expected, Supplier<HttpRequest.Builder> request) {
    server.await(
        "a response with status " + expected,
        () -> send(request.get()).join().statusCode() == expected);
  }

  private List<String> storeTokens() {
    Client caller = new Client(server.url(), key);
    return Stream.generate(() -> caller.token("x".repeat(LARGE))).limit(STORED_TOKENS).toList();
  }

  private static String token() {
    return "{\"type\":\"token\",\"data\":\"" + "x".repeat(LARGE) + "\"}";
  }

  private static String expressions(List<String> ids) {
    return ids.stream().map(id -> "\"{{ " + id + " | size }}\"").toList().toString();
  }

  private String createKey() {
    Client management = new Client(server.url(), DataDirectories.tenant());
    JsonNode draft =
        TenantFixture.revealingDraft("token:create", "token:read", "token:search", "token:use");
    return management.post("/applications", draft).expect(201).text("key");
  }

  private HttpRequest.Builder post(String path, String json) {
    return request(path)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(json));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(server.url() + path)).header("SVC-API-KEY", key);
  }

  private static CompletableFuture<HttpResponse<Void>> send(HttpRequest.Builder request) {
    return CLIENT.sendAsync(request.build(), BodyHandlers.discarding());
  }
}
