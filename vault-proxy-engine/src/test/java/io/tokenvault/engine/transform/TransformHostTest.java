package io.tokenvault.engine.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.access.Permission;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.TransformFailedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.Violations;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.engine.EngineFixture;
import io.tokenvault.engine.ProxyEngine;
import io.tokenvault.engine.RawDestination;
import io.tokenvault.engine.RawDestination.Received;
import io.tokenvault.engine.ScriptedClient;
import io.tokenvault.engine.ScriptedRunner;
import io.tokenvault.engine.transform.TransformRunner.Ending;
import io.tokenvault.engine.transform.TransformRunner.Host;
import io.tokenvault.engine.transform.TransformRunner.Host.Reply;
import io.tokenvault.engine.transform.pool.WorkerFailedException.WorkerFailure;
import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.engine.wire.FromWorker.FailureKind;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.FromWorker.Position;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the calls that transforms make to the server. */
class TransformHostTest {
  @AutoClose private EngineFixture fixture;
  private ApplicationId application;
  private String proxyKey;

  @BeforeEach
  void start() {
    fixture = new EngineFixture();
    application =
        fixture.vault.applicationOf(
            fixture.vault.callerKey(new AccessPolicy(List.of(Permission.TOKEN_READ), List.of())));
    proxyKey = key(Optional.of(application));
  }

  private String key(Optional<ApplicationId> applicationId) {
    return fixture.vault.transformProxyKey(
        fixture.url(), applicationId, "small/1", TransformKind.REQUEST);
  }

  /** Runs a transform that makes a call, and returns its reply. */
  private Reply call(String operation, String json) {
    List<Reply> replies = fixture.runner.makeCall(operation, json);
    try {
      request().send();
    } catch (RefusedException refused) {
      // Where the vault is unavailable, the request fails too.
      assertThat(refused.failure()).isEqualTo(FailureCause.STORE_UNAVAILABLE);
    }
    return replies.get(0);
  }

  private EngineFixture.Call request() {
    return fixture.get().byProxyKey(proxyKey);
  }

  private void clientFails(RuntimeException failure) {
    fixture.client.respondWith(
        () -> {
          throw failure;
        });
  }

  private void destinationReturns(String body) {
    fixture.destination.respondWith(
        "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
  }

  private void assertProblem(int status, String operation, String json) {
    Reply reply = call(operation, json);
    assertThat(reply.ok()).isFalse();
    assertThat(reply.json()).contains("\"status\":" + status);
  }

  private static String get(String url) {
    return "{\"url\":\"" + url + "\",\"method\":\"GET\",\"headers\":[]}";
  }

  @Test
  void clientActsAsApplicationOfProxy() {
    fixture.client.respondWith(() -> JsonValue.of("done"));

    Reply reply = call("bt.tokens.retrieve", "[\"tok-1\",{\"a\":1}]");

    assertThat(reply.ok()).isTrue();
    assertThat(reply.json()).isEqualTo("\"done\"");
    ScriptedClient.Called called = fixture.client.calls().get(0);
    assertThat(called.caller().application().id()).isEqualTo(application);
    assertThat(called.operation()).isEqualTo("tokens.retrieve");
    assertThat(called.arguments()).hasSize(2).startsWith(JsonValue.of("tok-1"));
    assertThat(fixture.runner.run().context()).endsWith("\"bt\":true}");
  }

  @Test
  void argumentsExceedingMemoryAreRejectedAndOthersReleaseIt() {
    String many = "[[" + "1,".repeat(100_000) + "1]]";

    assertProblem(413, "bt.tokenize", many);
    assertThat(fixture.client.calls()).isEmpty();
    String some = "[[" + "1,".repeat(10_000) + "1]]";
    for (int i = 0; i < 20; i++) {
      assertThat(call("bt.tokenize", some).ok()).isTrue();
    }
  }

  @Test
  void absentResultIsReturnedAsNull() {
    assertThat(call("bt.tokenize", "[]").json()).isEqualTo("null");
  }

  @Test
  void proxyWithoutApplicationHasNoClient() {
    proxyKey = key(Optional.empty());

    assertProblem(403, "bt.tokenize", "[]");
    assertThat(fixture.client.calls()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(FailureCause.class)
  void everyFailureIsReportedWithStatus(FailureCause cause) {
    clientFails(new RefusedException(cause, "a sentence"));

    Reply reply = call("bt.tokenize", "[]");

    assertThat(reply.ok()).isFalse();
    assertThat(reply.json())
        .matches("\\{\"status\":[45]\\d\\d,.*\"detail\":\"a sentence\",\"errors\":\\{}}")
        .contains(cause.title());
  }

  @Test
  void violationsAreReported() {
    clientFails(ValidationException.of("data", "is required"));

    assertThat(call("bt.tokenize", "[]").json())
        .contains("\"status\":400")
        .contains("\"errors\":{\"data\":[\"is required\"]}");
  }

  @Test
  void internalErrorTextIsNotReported() {
    clientFails(new IllegalStateException("4111111111111111"));

    assertThat(call("bt.tokenize", "[]").json()).contains("\"status\":500").doesNotContain("4111");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bt.tokens.unknown | []",
        "bt. | []",
        "tokenize | []",
        "open | []",
        "bt.tokenize | {}",
        "bt.tokenize | [",
        "fetch | [",
        "fetch | []",
        "fetch | {}"
      })
  void invalidCallIsRejected(String operation, String json) {
    assertProblem(400, operation, json);
    assertThat(fixture.client.calls()).isEmpty();
  }

  @Test
  void fetchIsSentAsRequested() throws Exception {
    fixture.destination.respondWith(
        "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nX-A: 1\r\nX-A: 2\r\nSVC-X: 1\r\n"
            + "Content-Length: 2\r\n\r\nok");
    String body = Base64.getEncoder().encodeToString("é".getBytes(StandardCharsets.UTF_8));

    Reply reply =
        call(
            "fetch",
            "{\"url\":\"%s\",\"method\":\"put\",\"headers\":[[\"X-A\",\"1\"],[\"X-A\",\"2\"],"
                    .formatted(fixture.url("/a/?q=1&r='#part"))
                + "[\"Host\",\"evil\"],[\"SVC-API-KEY\",\"k\"],[\"Connection\",\"close\"],"
                + "[\"Content-Length\",\"9\"]],\"body\":\""
                + body
                + "\"}");

    Received received = fixture.destination.take();
    assertThat(received.requestLine()).isEqualTo("PUT /a/?q=1&r=' HTTP/1.1");
    assertThat(received.bodyText()).isEqualTo("é");
    assertThat(received.headerLines())
        .containsExactlyInAnyOrder(
            "Host: api.example.test:" + fixture.destination.port(),
            "X-A: 1",
            "X-A: 2",
            "Content-Length: 2");
    assertThat(reply.json())
        .isEqualTo(
            "{\"status\":302,\"url\":\"%s\",\"headers\":[[\"Location\",\"/elsewhere\"],"
                    .formatted(fixture.url("/a/?q=1&r='#part"))
                + "[\"X-A\",\"1\"],[\"X-A\",\"2\"]],\"body\":\"b2s=\"}");
  }

  /** Verifies that code cannot find out which private names exist; only the audit log differs. */
  @Test
  void fetchFromPrivateNameFailsLikeUnknownName() {
    Queue<List<InetAddress>> found = new ArrayDeque<>();
    fixture.close();
    fixture =
        new EngineFixture(
            host -> {
              List<InetAddress> addresses = found.poll();
              if (addresses == null) {
                throw new UnknownHostException(host);
              }
              return addresses;
            });
    proxyKey = key(Optional.empty());

    Reply unknown = call("fetch", get("https://intranet.example.test/"));
    assertThat(unknown.json()).contains("\"status\":502");
    found.add(List.of(InetAddress.getLoopbackAddress()));
    assertThat(call("fetch", get("https://intranet.example.test/"))).isEqualTo(unknown);
    assertThat(found).isEmpty();

    assertThat(fixture.vault.events())
        .containsSubsequence(
            "recorded: Transform fetch failed: " + FailureCause.DESTINATION_UNRESOLVED.title(),
            "recorded: Transform fetch failed: The destination's address is refused");
  }

  @Test
  void unrecordableFetchIsNotSent() {
    AtomicReference<Reply> reply = new AtomicReference<>();
    fixture.runner.setScript(
        (run, host) -> {
          fixture.vault.breakAuditLog();
          reply.set(host.call("fetch", get(fixture.url("/fetched"))));
          return ScriptedRunner.unchanged();
        });

    request().assertRefused(FailureCause.STORE_UNAVAILABLE);

    assertThat(reply.get().json()).contains("\"status\":503");
    assertThat(fixture.destination.waiting()).as("requests").isZero();
  }

  @ParameterizedTest
  @EnumSource(
      value = FailureCause.class,
      names = {"STORE_UNAVAILABLE", "OVERLOADED"})
  void unrecordableCallFailsRequestWhateverTransformDoes(FailureCause cause) {
    clientFails(new RefusedException(cause, "a sentence"));
    for (Ending ending :
        List.of(
            ScriptedRunner.unchanged(),
            ScriptedRunner.reported(ScriptedRunner.responseThrown(200, "{}", BodyKind.ABSENT, "")),
            ScriptedRunner.reported(new Outcome.ErrorThrown(422, "{}", Position.UNKNOWN)),
            ScriptedRunner.reported(new Outcome.Failed(FailureKind.ENGINE_ERROR, Position.UNKNOWN)),
            new Ending.Broken(WorkerFailure.OUT_OF_MEMORY))) {
      fixture.runner.setScript(
          (run, host) -> {
            host.call("bt.tokens.retrieve", "[\"tok-1\"]");
            return ending;
          });

      request().assertRefused(FailureCause.STORE_UNAVAILABLE);
    }
    assertThat(fixture.destination.waiting()).as("requests").isZero();
  }

  @Test
  void failureAfterSendingReportsThatRequestWasSent() {
    proxyKey =
        fixture.vault.transformProxyKey(
            fixture.url(), Optional.of(application), "small/1", TransformKind.RESPONSE);
    clientFails(RefusedException.unavailable(null));
    fixture.runner.makeCall("bt.tokens.retrieve", "[\"tok-1\"]");

    TransformFailedException failed = request().transformFailure();

    assertThat(failed.status()).isEqualTo(503);
    assertThat(failed.getMessage())
        .endsWith(" transform. The request had already been sent to the destination.");
  }

  @Test
  void fetchIsDeniedAfterUseOfBoundToken() throws Exception {
    fixture.vault.token("tok-1", "\"4111\"", "/bound/");
    fixture.vault.bind("/bound/", EngineFixture.HOST);
    List<Reply> replies = fixture.runner.makeCall("fetch", get("https://private.example.test/"));

    fixture.call().byProxyKey(proxyKey).body("text/plain", "{{tok-1}}").send();

    assertThat(replies.get(0).json()).contains("\"status\":403", FailureCause.TOKENS_BOUND.title());
    assertThat(fixture.vault.events())
        .anyMatch(
            event -> event.startsWith("recorded: Transform fetch denied after use of bound tokens"))
        .noneMatch(event -> event.contains("private.example.test"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://api.example.test/",
        "https://127.0.0.1/",
        "https://intranet/",
        "https://user@api.example.test/",
        "https://api.example.test/a/../b",
        "file:///etc/passwd",
        "https://api.example.test/é",
        ""
      })
  void fetchToUrlNotAllowedForProxiesIsRejected(String url) {
    assertProblem(400, "fetch", get(url));
    assertThat(fixture.vault.events())
        .noneMatch(event -> event.startsWith("recorded: Transform fetch"));
  }

  @Test
  void fetchToHostNotAllowedByOperatorIsRejected() {
    List<Reply> replies = fixture.runner.makeCall("fetch", get("https://other.example.test/"));
    try (ProxyEngine engine = fixture.newEngineAllowingOneHost()) {
      request().send(engine);
    }
    assertThat(replies.get(0).json()).contains("\"status\":400");
    assertThat(fixture.vault.events())
        .noneMatch(event -> event.startsWith("recorded: Transform fetch"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"CONNECT", "trace", "TRACK", "GET /", "", "G\\r\\nT"})
  void forbiddenMethodIsRejected(String method) {
    assertProblem(
        400,
        "fetch",
        "{\"url\":\"%s\",\"method\":\"%s\",\"headers\":[]}".formatted(fixture.url(), method));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"method\":\"GET\",\"headers\":[],\"body\":\"YQ==\"",
        "\"method\":\"POST\",\"headers\":[],\"body\":\"?\"",
        "\"method\":\"POST\",\"headers\":[[\"a\",\"b\\r\\nc: d\"]]",
        "\"method\":\"POST\",\"headers\":[[\"a\",\"b\\u0000\"]]"
      })
  void fetchThatCannotBeSentIsRejected(String fields) {
    assertProblem(400, "fetch", "{\"url\":\"%s\",%s}".formatted(fixture.url(), fields));
  }

  @Test
  void fetchWithTooLargeBodyIsRejected() {
    String body = Base64.getEncoder().encodeToString(new byte[EngineFixture.LIMIT + 1]);

    assertProblem(
        413,
        "fetch",
        "{\"url\":\"%s\",\"method\":\"POST\",\"headers\":[],\"body\":\"%s\"}"
            .formatted(fixture.url(), body));
  }

  @Test
  void tooLargeFetchResponseIsNotReturned() {
    destinationReturns("x".repeat(EngineFixture.LIMIT + 1));

    assertProblem(502, "fetch", get(fixture.url("/large")));
  }

  @Test
  void memoryIsReleasedAfterEveryFetch() {
    destinationReturns("x".repeat(EngineFixture.LIMIT));

    for (int i = 0; i < 20; i++) {
      assertThat(call("fetch", get(fixture.url())).ok()).isTrue();
    }
  }

  @Test
  void pendingFetchIsAbortedWhenRunEnds() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch replied = new CountDownLatch(1);
    AtomicReference<Reply> reply = new AtomicReference<>();
    CountDownLatch release = new CountDownLatch(1);
    fixture.destination.respondWith(
        (request, out) -> {
          if (request.target().equals("/slow")) {
            arrived.countDown();
            release.await();
            return false;
          }
          return RawDestination.fixed(RawDestination.OK).respond(request, out);
        });
    fixture.runner.setScript(
        (run, host) -> {
          Thread thread =
              new Thread(
                  () -> {
                    reply.set(host.call("fetch", get(fixture.url("/slow"))));
                    replied.countDown();
                  });
          thread.setDaemon(true);
          thread.start();
          Eventually.awaitLatch(arrived);
          return ScriptedRunner.unchanged();
        });

    request().send();

    Eventually.awaitLatch(replied);
    assertThat(reply.get().json()).contains(FailureCause.CALLER_GONE.title());
    release.countDown();
  }

  @Test
  void callAfterEndOfRunIsRejected() {
    AtomicReference<Host> endedHost = new AtomicReference<>();
    fixture.runner.setScript(
        (run, host) -> {
          endedHost.set(host);
          return ScriptedRunner.unchanged();
        });
    request().send();

    assertThat(endedHost.get().call("bt.tokenize", "[]").ok()).isFalse();
    assertThat(fixture.client.calls()).isEmpty();
  }

  @Test
  void problemDoesNotContainData() {
    assertThat(call("fetch", get("https://4111111111111111/")).json()).doesNotContain("4111");
  }

  @Test
  void errorsOfPathsThatBecomeEqualAreMerged() {
    Violations violations = new Violations().add("a\0", "x").add("a\uFFFD", "y");

    assertThat(ProblemJson.of(new ValidationException(violations)))
        .contains("\"errors\":{\"a\uFFFD\":[\"x\",\"y\"]}");
  }
}
