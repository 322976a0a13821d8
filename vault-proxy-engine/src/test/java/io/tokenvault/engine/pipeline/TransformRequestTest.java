package io.tokenvault.engine.pipeline;

import static io.tokenvault.engine.ScriptedRunner.responseThrown;
import static io.tokenvault.engine.ScriptedRunner.returned;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.access.AccessPolicy;
import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.TransformFailedException;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.engine.EngineFixture;
import io.tokenvault.engine.ProxyEngine;
import io.tokenvault.engine.RawDestination;
import io.tokenvault.engine.RawDestination.Received;
import io.tokenvault.engine.ScriptedRunner;
import io.tokenvault.engine.transform.Eventually;
import io.tokenvault.engine.transform.TransformRunner.Ending;
import io.tokenvault.engine.transform.pool.WorkerFailedException.WorkerFailure;
import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.engine.wire.FromWorker.FailureKind;
import io.tokenvault.engine.wire.FromWorker.Finished;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.FromWorker.Position;
import io.tokenvault.engine.wire.FromWorker.Thrown;
import io.tokenvault.ports.api.ProxyResponse;
import io.tokenvault.ports.memory.SmallTransformRuntime;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TransformRequestTest {
  private static final String JSON = "application/json";

  @AutoClose private final EngineFixture fixture = new EngineFixture();
  private String proxyKey;

  @BeforeEach
  void start() {
    fixture.vault.token("tok-1", "\"4111\"");
    proxyKey = fixture.vault.transformProxyKey(fixture.url("/base?k=v"), TransformKind.REQUEST);
  }

  private String proxyKeyOfOldCompiler(TransformKind kind) {
    return fixture.vault.transformProxyKey(fixture.url(), Optional.empty(), "old/1", kind);
  }

  private EngineFixture.Call call() {
    return fixture.call().byProxyKey(proxyKey).path("/sub").query("a=b");
  }

  private Received delivered(Outcome outcome) throws InterruptedException {
    fixture.runner.endWith(outcome);
    return call().body(JSON, "{\"a\":1}").delivered();
  }

  private TransformFailedException failure(Ending ending) {
    fixture.runner.endWith(ending);
    TransformFailedException failed = call().body(JSON, "{\"a\":1}").transformFailure();
    assertThat(fixture.destination.connections()).as("connections").isZero();
    return failed;
  }

  private TransformFailedException failure(Outcome outcome) {
    return failure(ScriptedRunner.reported(outcome));
  }

  private String lastEvent() {
    List<String> events = fixture.vault.events();
    Eventually.holds(
        "the end is in the audit log", () -> events.toString().contains("Proxy invocation ended"));
    return events.get(events.size() - 1);
  }

  private static byte[] gzip(String text) throws IOException {
    return TransformResponseTest.compress("gzip", text);
  }

  @Test
  void transformReceivesRequestAsItWouldBeSent() throws Exception {
    call()
        .path("/sub/{{tok-1}}")
        .query("svc-proxy-key=" + proxyKey + "&a=%7Bb")
        .header("X-Twice", "1")
        .header("x-twice", "2")
        .header("Set-Cookie", "a=1")
        .header("Cookie", "a=1")
        .header("Cookie", "b=2")
        .header("Connection", "x-hop")
        .header("X-Hop", "h")
        .header("Host", "elsewhere")
        .header("SVC-ANYTHING", "s")
        .body(JSON, "{\"card\":\"{{tok-1}}\"}")
        .send();

    assertThat(fixture.runner.kindAndBody()).isEqualTo("JSON {\"card\":\"4111\"}");
    assertThat(fixture.runner.run().context())
        .isEqualTo(
            "{\"headers\":{\"x-twice\":\"1, 2\",\"set-cookie\":[\"a=1\"],\"cookie\":\"a=1; b=2\","
                + "\"content-type\":\"application/json\"},\"method\":\"POST\","
                + "\"path\":\"/sub/4111\",\"query\":\"?a=%7Bb\","
                + "\"configuration\":{\"name\":\"value\"},\"bt\":false}");
    assertThat(fixture.runner.run().program().compiled().get().program()).isEqualTo("a program");
  }

  @Test
  void tokenIsRevealedToTransformOnlyAfterDurableAuditEntry() {
    fixture.runner.setScript(
        (run, host) -> {
          fixture.vault.note("ran");
          return ScriptedRunner.unchanged();
        });

    call().body(JSON, "{\"card\":\"{{tok-1}}\"}").send();

    assertThat(fixture.vault.events())
        .startsWith("recorded: Proxy invoked", "recorded: Token used", "decrypted: tok-1")
        .containsSubsequence("decrypted: tok-1", "ran");
  }

  @Test
  void deniedInvocationNeverRunsTransform() {
    String unprivilegedKey = fixture.vault.callerKey(AccessPolicy.none());

    call().key(unprivilegedKey).body(JSON, "{}").assertRefused(FailureCause.PERMISSION_DENIED);

    assertThat(fixture.runner.runs()).isEmpty();
  }

  @Test
  void transformDoesNotRunIfAuditLogIsUnavailable() {
    fixture.vault.breakAuditLog();

    call().body(JSON, "\"{{tok-1}}\"").assertRefused(FailureCause.STORE_UNAVAILABLE);

    assertThat(fixture.runner.runs()).isEmpty();
  }

  @Test
  void partsOmittedByTransformAreSentUnchanged() throws Exception {
    fixture.runner.endWith(ScriptedRunner.unchanged());

    Received received =
        call()
            .header("X-Twice", "1")
            .header("X-Twice", "2")
            .body(JSON, " {\"a\" : 1.0}")
            .delivered();

    assertThat(received.bodyText()).isEqualTo(" {\"a\" : 1.0}");
    assertThat(received.headerLines()).contains("X-Twice: 1", "X-Twice: 2", "Content-Length: 12");
    assertThat(lastEvent()).isEqualTo("recorded: Proxy invocation ended: status 200");
  }

  @Test
  void bodyAndHeadersReturnedByTransformAreSent() throws Exception {
    Received received =
        delivered(
            returned(
                BodyKind.JSON,
                "{\"b\":\"é\"}",
                "{\"X-List\":[\"1\",\"2\"],\"x-utf\":\"é\",\"content-type\":\"application/json\"}"));

    assertThat(received.bodyText()).isEqualTo("{\"b\":\"é\"}");
    assertThat(received.headerLines())
        .containsExactlyInAnyOrder(
            "Host: api.example.test:" + fixture.destination.port(),
            "X-List: 1",
            "X-List: 2",
            "x-utf: é",
            "content-type: application/json",
            "Content-Length: 10");
  }

  @Test
  void transformCannotChangeDestinationMethodOrPath() throws Exception {
    Received received =
        delivered(
            returned(
                BodyKind.ABSENT,
                "",
                "{\"host\":\"evil.example\",\"Host\":\"evil.example\",\":authority\":\"evil\","
                    + "\":path\":\"/evil\",\":method\":\"DELETE\",\"connection\":\"close\","
                    + "\"svc-proxy-url\":\"https://evil.example\",\"content-length\":\"1\",\"transfer-encoding\":\"chunked\",\"x"
                    + " y\":\"1\",\"x.y\":\"1\",\"x-ok\":\"1\"}"));

    assertThat(received.requestLine()).isEqualTo("POST /base/sub?k=v&a=b HTTP/1.1");
    assertThat(received.serverNames()).containsExactly(EngineFixture.HOST);
    assertThat(received.headerLines())
        .containsExactlyInAnyOrder(
            "Host: api.example.test:" + fixture.destination.port(), "x-ok: 1", "Content-Length: 7");
  }

  @Test
  void nullHeadersAndBodyLeaveRequestEmpty() throws Exception {
    Received received = delivered(returned(BodyKind.NONE, "", "null"));

    assertThat(received.body()).isEmpty();
    assertThat(received.headerLines())
        .containsExactlyInAnyOrder(
            "Host: api.example.test:" + fixture.destination.port(), "Content-Length: 0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"a\":{}}", "[1]", "{\"a\":", ""})
  void bodyThatCannotBeFormEncodedFails(String body) {
    TransformFailedException failed =
        failure(
            returned(
                BodyKind.JSON, body, "{\"content-type\":\"application/x-www-form-urlencoded\"}"));

    assertThat(failed.status()).isEqualTo(500);
    assertThat(failed.getMessage()).startsWith("The body that the request transform returned ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"a\":\"1\\r\\nb: 2\"}", "{\"a\":1}", "[]", "{", "{} {}"})
  void headersThatCannotBeSentFailTransform(String headers) {
    TransformFailedException failed = failure(returned(BodyKind.ABSENT, "", headers));

    assertThat(failed.status()).isEqualTo(500);
    assertThat(failed.failure()).isEqualTo(FailureCause.TRANSFORM_FAILED);
    assertThat(failed.getMessage()).startsWith("The headers that the request transform returned ");
  }

  @Test
  void tooLongReturnedHeadersFailTransform() {
    String value = "x".repeat(200_000);

    assertThat(failure(returned(BodyKind.ABSENT, "", "{\"a\":\"" + value + "\"}")))
        .hasMessageContaining("must be shorter");
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD"})
  void bodyReturnedForGetOrHeadFailsTransform(String method) {
    fixture.runner.endWith(returned(BodyKind.JSON, "{}"));

    TransformFailedException failed = call().method(method).transformFailure();

    assertThat(failed.status()).isEqualTo(500);
    assertThat(failed.getMessage()).contains("GET and HEAD");
    assertThat(fixture.destination.connections()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"NONE", "TEXT", "BINARY"})
  void emptyBodyCountsAsNoneForGet(String kind) throws Exception {
    fixture.runner.endWith(returned(BodyKind.valueOf(kind), ""));

    assertThat(call().method("GET").delivered().requestLine()).startsWith("GET ");
    assertThat(fixture.runner.run().content().kind()).isEqualTo(BodyKind.NONE);
  }

  @Test
  void gzipRequestIsDecompressedForTransform() throws Exception {
    fixture.runner.endWith(ScriptedRunner.unchanged());

    Received received =
        call().header("Content-Encoding", "gzip").body(JSON, gzip("{\"a\":1}")).delivered();

    assertThat(fixture.runner.kindAndBody()).isEqualTo("JSON {\"a\":1}");
    assertThat(fixture.runner.run().context()).doesNotContain("content-encoding");
    assertThat(received.bodyText()).isEqualTo("{\"a\":1}");
    assertThat(received.head()).doesNotContainIgnoringCase("content-encoding");
  }

  @Test
  void bodyInOtherEncodingIsPassedAsBinary() throws Exception {
    Received received =
        call().header("Content-Encoding", "br").body(JSON, "not unpacked").delivered();

    assertThat(fixture.runner.kindAndBody()).isEqualTo("BINARY not unpacked");
    assertThat(fixture.runner.run().context()).contains("\"content-encoding\":\"br\"");
    assertThat(received.bodyText()).isEqualTo("not unpacked");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 9, 20})
  void brokenGzipIsRejected(int length) throws IOException {
    byte[] broken =
        length == 0 ? "no gzip".getBytes(UTF_8) : Arrays.copyOf(gzip("{\"a\":1}"), length);

    assertThat(
            call()
                .header("Content-Encoding", "gzip")
                .body(JSON, broken)
                .assertRefused(FailureCause.VALIDATION_FAILED))
        .contains("gzip");
    assertThat(fixture.runner.runs()).isEmpty();
  }

  @Test
  void bodyThatDecompressesPastLimitIsRejected() throws IOException {
    byte[] packed = gzip("x".repeat(EngineFixture.LIMIT + 1));

    call()
        .header("Content-Encoding", "gzip")
        .body("text/plain", packed)
        .assertRefused(FailureCause.BODY_TOO_LARGE);
    assertThat(fixture.runner.runs()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/octet-stream", "text/plain", JSON, "multipart/form-data"})
  void bodyAboveLimitIsRejected(String type) {
    byte[] body = new byte[EngineFixture.LIMIT + 1];

    call().body(type, body).assertRefused(FailureCause.BODY_TOO_LARGE);
    assertThat(fixture.runner.runs()).isEmpty();
    assertThat(fixture.destination.connections()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/octet-stream | BINARY abc",
        "application/pdf | BINARY abc",
        "multipart/form-data; boundary=x | BINARY abc",
        "text/plain | TEXT abc",
        "application/xml | TEXT abc",
        "application/x-www-form-urlencoded | TEXT abc"
      })
  void transformReceivesBodyAccordingToItsType(String type, String expected) throws Exception {
    assertThat(call().body(type, "abc").delivered().bodyText()).isEqualTo("abc");
    assertThat(fixture.runner.kindAndBody()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"a\":", "{} {}", "{\"a\":1,}", "NaN", "{'a':1}", "[1", "\"a"})
  void malformedJsonIsRejected(String body) {
    String message = call().body(JSON, body).assertRefused(FailureCause.VALIDATION_FAILED);

    assertThat(message).contains("is not valid JSON");
    assertThat(fixture.runner.runs()).isEmpty();
  }

  @Test
  void errorThrownOnPurposeIsReported() throws Exception {
    TransformFailedException failed =
        failure(
            new Outcome.ErrorThrown(422, "{\"error\":[\"no such plan\"]}", new Position("", 12)));

    assertThat(failed.status()).isEqualTo(422);
    assertThat(failed.errors()).containsExactly(Map.entry("error", List.of("no such plan")));
    assertThat(failed.line()).isEqualTo(12);
    assertThat(failed).hasMessage("The request transform failed at line 12.");
    assertThat(lastEvent())
        .isEqualTo("recorded: Proxy invocation ended: The transform failed at line 12");
  }

  @Test
  void failedModuleIsNamed() throws Exception {
    TransformFailedException failed =
        failure(new Outcome.ErrorThrown(500, "{}", new Position("lib/a.js", 3)));

    assertThat(failed).hasMessage("The request transform failed at line 3 of the module lib/a.js.");
    assertThat(lastEvent()).isEqualTo("recorded: Proxy invocation ended: The transform failed");
  }

  @Test
  void thrownTextOfEngineIsNotPartOfFailure() throws Exception {
    TransformFailedException failed =
        failure(
            new Ending.Reported(
                new Finished(
                    new Outcome.Failed(FailureKind.ENGINE_ERROR, new Position("", 7, 3)),
                    List.of(),
                    Optional.of(new Thrown("TypeError", "4242424242424242")))));

    assertThat(failed).hasMessage("The request transform failed at line 7.");
    assertThat(failed.errors()).isEqualTo(Map.of("error", List.of("Transform failed")));
  }

  @ParameterizedTest
  @EnumSource(FailureKind.class)
  void otherFailuresAreReportedWithStatus500AndTheirCause(FailureKind kind) throws Exception {
    TransformFailedException failed = failure(new Outcome.Failed(kind, new Position("", 7)));

    assertThat(failed.status()).isEqualTo(500);
    assertThat(failed.getMessage()).startsWith("The request transform ");
    assertThat(failed.failure())
        .isEqualTo(
            kind.ordinal() >= FailureKind.CPU_TIME.ordinal()
                ? FailureCause.TRANSFORM_LIMIT
                : FailureCause.TRANSFORM_FAILED);
  }

  @ParameterizedTest
  @EnumSource(
      names = {"TIMED_OUT", "OUT_OF_MEMORY", "DIED"},
      value = WorkerFailure.class)
  void lostWorkerFailsWithStatus500(WorkerFailure reason) {
    assertThat(failure(new Ending.Broken(reason)).status()).isEqualTo(500);
  }

  @Test
  void busyWorkersAreReportedAsOverload() {
    fixture.runner.endWith(new Ending.Broken(WorkerFailure.BUSY));

    call().body(JSON, "{}").assertRefused(FailureCause.OVERLOADED);
    assertThat(fixture.destination.connections()).isZero();
  }

  @Test
  void customResponseIsReturnedAndRequestIsNotSent() throws Exception {
    fixture.runner.endWith(
        responseThrown(
            402,
            "{\"x-a\":[\"1\",\"2\"],\"svc-a\":\"1\",\"connection\":\"close\",\"x-u\":\"é\"}",
            BodyKind.JSON,
            "{\"why\":1}"));

    EngineFixture.Response response = call().body(JSON, "{}").send();

    assertThat(response.status()).isEqualTo(402);
    assertThat(response.lines())
        .containsExactly(
            "x-a: 1",
            "x-a: 2",
            "x-u: " + new String("é".getBytes(UTF_8), ISO_8859_1),
            "Content-Type: application/json");
    assertThat(response.text()).isEqualTo("{\"why\":1}");
    assertThat(fixture.destination.connections()).isZero();
    assertThat(lastEvent()).isEqualTo("recorded: Proxy invocation ended: transform returned 402");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 100, 199, 600})
  void invalidCustomResponseStatusIsFailure(int status) {
    assertThat(failure(responseThrown(status, "{}", BodyKind.NONE, "")).status()).isEqualTo(500);
  }

  @Test
  void memoryIsReleasedHoweverTransformEnds() {
    String largest = "x".repeat(EngineFixture.LIMIT);
    for (int i = 0; i < 20; i++) {
      fixture.runner.endWith(returned(BodyKind.TEXT, largest));
      call().body("text/plain", largest).send();
      fixture.runner.endWith(new Outcome.Failed(FailureKind.ENGINE_ERROR, Position.UNKNOWN));
      assertThat(call().body("text/plain", largest).transformFailure()).isNotNull();
      fixture.runner.endWith(responseThrown(400, "{}", BodyKind.TEXT, largest));
      call().body("text/plain", largest).send();
    }
  }

  @Test
  void transformMemoryIsNotReservedWhileRequestIsSent() {
    String body = "x".repeat(1000);
    AtomicInteger sent = new AtomicInteger();
    fixture.destination.respondWith(
        (request, out) -> {
          if (sent.incrementAndGet() < 4) {
            call().body("text/plain", body).send();
          }
          return RawDestination.fixed(RawDestination.OK).respond(request, out);
        });

    assertThat(call().body("text/plain", body).send().status()).isEqualTo(200);
    assertThat(sent).hasValue(4);
  }

  @Test
  void customResponseReservesMemoryUntilClosed() throws Exception {
    fixture.runner.endWith(
        responseThrown(400, "{}", BodyKind.TEXT, "z".repeat(EngineFixture.LIMIT)));
    ProxyResponse[] open = new ProxyResponse[4];
    for (int i = 0; i < open.length; i++) {
      open[i] = call().method("GET").open();
    }

    call().body("text/plain", "x".repeat(2000)).assertRefused(FailureCause.OVERLOADED);
    for (ProxyResponse response : open) {
      response.close();
    }
    assertThat(call().body("text/plain", "x".repeat(2000)).send().status()).isEqualTo(400);
  }

  @Test
  void tooLargeReturnedBodyIsNotSent() {
    TransformFailedException failed =
        failure(returned(BodyKind.TEXT, "y".repeat(EngineFixture.LIMIT + 1)));

    assertThat(failed.failure()).isEqualTo(FailureCause.TRANSFORM_LIMIT);
    assertThat(failed).hasMessageContaining("output limit");
  }

  @Test
  void codeOfOtherCompilerIsRecompiledRunAndStored() throws Exception {
    proxyKey = proxyKeyOfOldCompiler(TransformKind.REQUEST);

    call().body(JSON, "{}").delivered();

    assertThat(fixture.runner.run().program().key()).contains("old/1").endsWith("/small/1");
    assertThat(fixture.runner.run().program().compiled().get().program()).isEqualTo("the code");
    assertThat(fixture.vault.events())
        .anySatisfy(
            event ->
                assertThat(event)
                    .startsWith("encrypted: {\"code\":\"the code\",\"compiler\":\"small/1\""));
  }

  @Test
  void waitingRequestsShareOneRecompilation() throws Exception {
    proxyKey = proxyKeyOfOldCompiler(TransformKind.REQUEST);
    CountDownLatch compiling = new CountDownLatch(1);
    CountDownLatch proceed = new CountDownLatch(1);
    AtomicInteger compilations = new AtomicInteger();
    try (ProxyEngine slow =
        fixture.newEngineWithCompileHook(
            () -> {
              compilations.incrementAndGet();
              compiling.countDown();
              Eventually.awaitLatch(proceed);
            })) {
      Thread first = startThread(() -> call().body(JSON, "{}").send(slow));
      Eventually.awaitLatch(compiling);
      Thread second = startThread(() -> call().body(JSON, "{}").send(slow));
      Eventually.holds("the second waits", () -> second.getState() == Thread.State.WAITING);
      proceed.countDown();
      first.join();
      second.join();
    }

    assertThat(fixture.runner.runs()).hasSize(2);
    assertThat(compilations).hasValue(1);
  }

  /** The vault of this test keeps the old program, as if a node of another version restored it. */
  @Test
  void restoredOldProgramIsNotRecompiled() {
    proxyKey = proxyKeyOfOldCompiler(TransformKind.REQUEST);
    AtomicInteger compilations = new AtomicInteger();
    try (ProxyEngine counting = fixture.newEngineWithCompileHook(compilations::incrementAndGet)) {
      call().body(JSON, "{}").send(counting);
      call().body(JSON, "{}").send(counting);
    }

    assertThat(fixture.runner.runs()).hasSize(2);
    assertThat(compilations).hasValue(1);
  }

  private static Thread startThread(Runnable task) {
    Thread thread = new Thread(task);
    thread.start();
    return thread;
  }

  @Test
  void requestIsNotSentIfAllCompilersAreBusy() {
    proxyKey = proxyKeyOfOldCompiler(TransformKind.RESPONSE);
    try (ProxyEngine busy =
        fixture.newEngineWithCompileHook(
            () -> {
              throw new RefusedException(FailureCause.OVERLOADED, "busy");
            })) {
      call().body(JSON, "{}").assertRefused(FailureCause.OVERLOADED, busy);
    }
    assertThat(fixture.destination.connections()).isZero();
  }

  @ParameterizedTest
  @EnumSource(TransformKind.class)
  void codeThatNoLongerCompilesFailsRequest(TransformKind kind) {
    fixture.vault.setTransformCode(SmallTransformRuntime.FLAW);
    proxyKey = proxyKeyOfOldCompiler(kind);

    TransformFailedException failed = call().body(JSON, "{}").transformFailure();

    assertThat(failed.status()).isEqualTo(500);
    assertThat(failed.getMessage()).contains("no longer compiles").contains("line 1");
    assertThat(fixture.destination.connections()).isZero();
  }

  @Test
  void proxyWithoutTransformsStreamsBody() throws Exception {
    String plain = fixture.vault.transformProxyKey(fixture.url());

    byte[] body = new byte[10 * EngineFixture.LIMIT];

    assertThat(
            fixture
                .call()
                .byProxyKey(plain)
                .body("application/octet-stream", body)
                .delivered()
                .body())
        .hasSize(body.length);
    assertThat(fixture.runner.runs()).isEmpty();
  }

  @Test
  void interruptedBodyIsNotTransformed() throws Exception {
    InputStream closed = InputStream.nullInputStream();
    closed.close();
    InputStream broken = new SequenceInputStream(new ByteArrayInputStream(new byte[1]), closed);

    call().header("Content-Type", "text/plain").stream(broken)
        .assertRefused(FailureCause.VALIDATION_FAILED);
    assertThat(fixture.runner.runs()).isEmpty();
  }
}
