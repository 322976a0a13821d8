package io.tokenvault.server.e2e.proxy;

import static io.tokenvault.server.e2e.fixture.Call.IDEMPOTENCY_KEY;
import static io.tokenvault.server.e2e.fixture.Call.IDEMPOTENCY_REPEAT;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.ClosedPort;
import io.tokenvault.server.e2e.fixture.DatabaseTables;
import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.environment.Unchecked;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import mockwebserver3.SocketEffect;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Retried requests to the proxy reach their destination once. */
final class ProxyIdempotencyTest {

  @AutoClose private final ProxyFixture fixture = new ProxyFixture();

  private Call pay(String key, String body) {
    return fixture.call("POST", "/charges?a=1").idempotent(key).json(body);
  }

  private void respondWith(int status, String body) {
    fixture.destination.respond(
        new MockResponse.Builder().code(status).addHeader("X-Charge", "7").body(body).build());
  }

  private List<String> messages() {
    return fixture.tenant.messages();
  }

  @Test
  void retryReturnsStatusAndReachesNoDestination() throws SQLException {
    respondWith(201, "{\"charge\": 7}");
    String body = "{\"card\": \"{{" + fixture.token("4242") + "}}\"}";
    Response first = pay("c-1", body).send().expect(201);
    assertThat(first.text()).isEqualTo("{\"charge\": 7}");
    assertThat(first.header(IDEMPOTENCY_REPEAT)).isEmpty();

    Response replay = pay("c-1", body).send().expect(201);

    assertThat(replay.header(IDEMPOTENCY_REPEAT)).contains("true; answer-not-kept");
    assertThat(replay.header(ProxyFixture.DESTINATION_STATUS)).contains("201");
    assertThat(replay.header("X-Charge")).isEmpty();
    assertThat(replay.text("detail")).contains("not stored");
    assertThat(fixture.destination.count()).isEqualTo(1);
    assertThat(messages()).filteredOn("Token used"::equals).hasSize(2);
    try (DatabaseTables tables = DatabaseTables.of(fixture.vault)) {
      String column = "length(answer) < 200 AND application_id";
      assertThat(tables.count("keyed_request", column, fixture.caller.id())).isEqualTo(1);
    }
    Eventually.holds(
        "the end is recorded",
        Duration.ofSeconds(20),
        () -> messages().stream().anyMatch(each -> each.contains("replayed")));
  }

  @Test
  void replayToHeadHasNoBody() {
    Call head = fixture.call("HEAD", "/charges").idempotent("h-1");
    head.send().expect(200);
    Response replay = head.send().expect(200);
    assertThat(replay.header(IDEMPOTENCY_REPEAT)).contains("true; answer-not-kept");
    assertThat(replay.bytes()).isEmpty();
    assertThat(replay.header("Content-Length")).isEmpty();
    assertThat(fixture.destination.count()).isEqualTo(1);
  }

  @Test
  void wholeResponseIsReplayedIfConfigured() {
    respondWith(201, "{\"charge\": 7}");
    try (RunningVault.Node node = fixture.vault.node(Map.of("VAULT_PROXY_KEPT_ANSWERS", "whole"))) {
      Response first = invoke(node, "c-1").expect(201);
      Response replay = invoke(node, "c-1").expect(201);
      assertThat(replay.text()).isEqualTo(first.text()).isEqualTo("{\"charge\": 7}");
      assertThat(replay.header("X-Charge")).contains("7");
      assertThat(replay.header(ProxyFixture.DESTINATION_STATUS)).contains("201");
      assertThat(replay.header(IDEMPOTENCY_REPEAT)).contains("true");
      assertThat(fixture.destination.count()).isEqualTo(1);
      respondWith(200, "x".repeat((1 << 20) + 1));
      assertThat(invoke(node, "long").expect(200).bytes()).hasSize((1 << 20) + 1);
      assertThat(invoke(node, "long").expect(200).header(IDEMPOTENCY_REPEAT))
          .contains("true; answer-not-kept");
    }
  }

  private Response invoke(RunningVault.Node node, String key) {
    return fixture.byUrl(node).idempotent(key).json("{}").send();
  }

  @Test
  void differentBodyQueryOrDestinationIsConflict() {
    pay("c-1", "{}").send().expect(200);
    String path = "/charges?a=1";
    Call otherQuery = fixture.call("POST", "/charges?a=2");
    Call byProxy = fixture.caller.call("POST", "/proxy" + path).through(fixture.proxy());

    fixture.expectError(pay("c-1", "{\"a\": 1}").send(), 409, "idempotency-key-used");
    fixture.expectError(
        otherQuery.idempotent("c-1").json("{}").send(), 409, "idempotency-key-used");
    fixture.expectError(byProxy.idempotent("c-1").json("{}").send(), 409, "idempotency-key-used");

    assertThat(fixture.destination.count()).isEqualTo(1);
    fixture.call("POST", "/other?a=1").idempotent("c-1").json("{}").send().expect(200);
    fixture.call("PUT", path).idempotent("c-1").json("{}").send().expect(200);
    Client second = fixture.tenant.application("private", "token:use");
    fixture.call(second, "POST", path).idempotent("c-1").json("{}").send().expect(200);
    assertThat(fixture.destination.count()).isEqualTo(4);
  }

  @Test
  void retryOfRunningRequestIsRejectedWithRetryAfter() {
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    fixture.destination.respond(
        request -> {
          arrived.countDown();
          await(release);
          return new MockResponse.Builder().code(202).build();
        });
    CompletableFuture<Response> first =
        CompletableFuture.supplyAsync(() -> pay("c-1", "{}").send());
    await(arrived);

    Response second = pay("c-1", "{}").send();

    fixture.expectError(second, 409, "request-running");
    assertThat(second.header("Retry-After")).contains("1");
    release.countDown();
    first.join().expect(202);
    assertThat(pay("c-1", "{}").send().expect(202).header(IDEMPOTENCY_REPEAT)).isPresent();
    assertThat(fixture.destination.count()).isEqualTo(1);
  }

  private static void await(CountDownLatch latch) {
    assertThat(Unchecked.get(() -> latch.await(20, TimeUnit.SECONDS))).isTrue();
  }

  @Test
  void possiblyDeliveredRequestIsNotSentAgain() {
    try (ProxyFixture other = new ProxyFixture(HttpsDestination.start())) {
      other.destination.respond(
          new MockResponse.Builder().onResponseStart(new SocketEffect.CloseSocket()).build());
      other.expectError(
          other.post().idempotent("c-1").json("{}").send(), 502, "destination-broke-off");
      int arrived = other.destination.count();
      other.destination.respond(new MockResponse.Builder().body("{}").build());

      other.expectError(other.post().idempotent("c-1").json("{}").send(), 409, "outcome-unknown");

      assertThat(other.destination.count()).isEqualTo(arrived);
      other.post().idempotent("c-2").json("{}").send().expect(200);
    }
  }

  @Test
  void replayAfterLostTokenUseIsDeniedAndRecorded() {
    String body = "\"{{" + fixture.token("4242") + "}}\"";
    pay("c-1", body).send().expect(200);
    ObjectNode rule = TenantFixture.rule(1, "/other/", "reveal", "token:use");
    JsonNode less = TenantFixture.draft("private", List.of(rule)).without("type");
    fixture.tenant.management().put("/applications/" + fixture.caller.id(), less).expect(200);

    fixture.expectError(pay("c-1", body).send(), 403, "tokens-forbidden");

    assertThat(messages()).contains("Token use denied");
    assertThat(fixture.destination.count()).isEqualTo(1);
  }

  @Test
  void unsentRequestCanBeRetried() {
    try (ClosedPort closedPort = new ClosedPort()) {
      for (int i = 0; i < 2; i++) {
        Call unreachable = fixture.caller.call("POST", "/proxy").to(closedPort.url());
        fixture.expectError(unreachable.idempotent("c-1").json("{}").send(), 502, "connect-failed");
      }
    }
  }

  @Test
  void idempotencyKeyWithoutApiKeyIsRejected() {
    Call anonymous = fixture.vault.call("POST", "/proxy").through(fixture.anonymousProxy());
    Response refused = anonymous.idempotent("c-1").json("{}").send();

    JsonNode problem = fixture.expectErrorBeforeSending(refused, 400, "validation-failed");
    assertThat(Json.names(problem.path("errors"))).containsExactly(IDEMPOTENCY_KEY);
  }

  @Test
  void invalidKeyIsRejectedAndValidKeyIsNotForwarded() {
    fixture.expectErrorBeforeSending(pay("two words", "{}").send(), 400, "validation-failed");
    fixture.expectErrorBeforeSending(
        pay("one", "{}").idempotent("two").send(), 400, "validation-failed");

    pay("one", "{}").send().expect(200);

    assertThat(fixture.destination.received().getHeaders().get(IDEMPOTENCY_KEY)).isNull();
  }

  @Test
  void standardHeaderBelongsToDestination() {
    for (int i = 0; i < 2; i++) {
      fixture.post().header("Idempotency-Key", "c-1").json("{}").send().expect(200);
      assertThat(fixture.destination.received().getHeaders().get("Idempotency-Key"))
          .isEqualTo("c-1");
    }
  }

  @Test
  void bodyOfAnyTypeIsComparedUpToLimit() {
    byte[] bytes = {0, 1, 2, (byte) 0xff};
    byte[] others = {0, 1, 2, (byte) 0xfe};
    binary(bytes).send().expect(200);
    assertThat(binary(bytes).send().expect(200).header(IDEMPOTENCY_REPEAT)).isPresent();
    fixture.expectError(binary(others).send(), 409, "idempotency-key-used");
    Call large = fixture.post().idempotent("large");
    large.chunkedBody("application/octet-stream", new byte[(10 << 20) + 1]);
    fixture.expectError(large.send(), 413, "body-too-large");
    assertThat(fixture.destination.count()).isEqualTo(1);
  }

  private Call binary(byte[] bytes) {
    return fixture.post().idempotent("binary").body("application/octet-stream", bytes);
  }
}
