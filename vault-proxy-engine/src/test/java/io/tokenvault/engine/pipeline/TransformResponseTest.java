package io.tokenvault.engine.pipeline;

import static io.tokenvault.engine.ScriptedRunner.responseThrown;
import static io.tokenvault.engine.ScriptedRunner.returned;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.TransformFailedException;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.engine.EngineFixture;
import io.tokenvault.engine.RawDestination.Received;
import io.tokenvault.engine.ScriptedRunner;
import io.tokenvault.engine.transform.TransformRunner.Ending;
import io.tokenvault.engine.transform.pool.WorkerFailedException.WorkerFailure;
import io.tokenvault.engine.wire.BodyKind;
import io.tokenvault.engine.wire.FromWorker.Outcome;
import io.tokenvault.engine.wire.FromWorker.Position;
import io.tokenvault.ports.api.ProxyResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TransformResponseTest {
  private static final String JSON = "Content-Type: application/json\r\n";
  private static final String DECOMPRESSED = "{\"a\":\"packed\"}";

  @AutoClose private final EngineFixture fixture = new EngineFixture();
  private final List<ProxyResponse> openResponses = new ArrayList<>();
  private String proxyKey;

  @BeforeEach
  void start() {
    proxyKey = fixture.vault.transformProxyKey(fixture.url("/base"), TransformKind.RESPONSE);
  }

  private EngineFixture.Call call() {
    return fixture.call().byProxyKey(proxyKey).method("GET").path("/sub").query("a=b");
  }

  private void destinationResponds(String statusLine, String headers, byte[] body) {
    fixture.destination.respondWith(
        (request, out) -> {
          String head =
              "HTTP/1.1 " + statusLine + "\r\n" + headers + "Content-Length: " + body.length;
          out.write((head + "\r\n\r\n").getBytes(UTF_8));
          out.write(body);
          return true;
        });
  }

  private void destinationResponds(String headers, String body) {
    destinationResponds("200 OK", headers, body.getBytes(UTF_8));
  }

  static byte[] compress(String coding, String text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream packing = compressor(coding, packed)) {
      packing.write(text.getBytes(UTF_8));
    }
    return packed.toByteArray();
  }

  private static OutputStream compressor(String coding, OutputStream out) throws IOException {
    return switch (coding) {
      case "gzip" -> new GZIPOutputStream(out);
      case "zlib" -> new DeflaterOutputStream(out);
      default -> new DeflaterOutputStream(out, new Deflater(Deflater.BEST_SPEED, true));
    };
  }

  @Test
  void transformReceivesResponse() {
    destinationResponds(
        JSON
            + "X-A: 1\r\nX-A: 2\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nConnection: x-hop\r\n"
            + "X-Hop: 1\r\nSVC-TRACE-ID: t\r\n",
        "{\"n\":1.10}");

    call().send();

    assertThat(fixture.runner.kindAndBody()).isEqualTo("JSON {\"n\":1.10}");
    assertThat(fixture.runner.run().context())
        .isEqualTo(
            "{\"headers\":{\"content-type\":\"application/json\",\"x-a\":\"1, 2\","
                + "\"set-cookie\":[\"a=1\",\"b=2\"]},\"method\":\"GET\",\"path\":\"/sub\","
                + "\"query\":\"?a=b\",\"configuration\":{\"name\":\"value\"},\"bt\":false}");
  }

  @Test
  void requestAsksDestinationForIdentityEncoding() throws Exception {
    Received received = call().header("Accept-Encoding", "br, gzip").delivered();

    assertThat(received.headerLines())
        .contains("Accept-Encoding: identity")
        .doesNotContain("Accept-Encoding: br, gzip");
  }

  @Test
  void partsOmittedByTransformAreReturnedUnchanged() {
    destinationResponds(JSON + "X-A: 1\r\nX-A: é\r\n", " {\"n\" : 1.10}");

    EngineFixture.Response response = call().send();

    assertThat(response.text()).isEqualTo(" {\"n\" : 1.10}");
    assertThat(response.lines())
        .containsExactly(
            "Content-Type: application/json",
            "X-A: 1",
            "X-A: " + new String("é".getBytes(UTF_8), ISO_8859_1),
            "SVC-PROXY-DESTINATION-STATUS: 200");
  }

  @Test
  void bodyAndHeadersReturnedByTransformAreReturned() throws IOException {
    destinationResponds("201 Created", JSON, "{}".getBytes(UTF_8));
    fixture.runner.endWith(
        returned(
            BodyKind.JSON,
            "{\"b\":1}",
            "{\"x-a\":[\"1\",\"2\"],\"svc-trace-id\":\"forged\",\"Content-Length\":\"1\","
                + "\"transfer-encoding\":\"chunked\",\"bad name\":\"1\"}"));

    try (ProxyResponse response = call().open()) {
      assertThat(response.status()).isEqualTo(201);
      assertThat(response.headers().stream().map(field -> field.name() + ": " + field.value()))
          .containsExactly(
              "x-a: 1",
              "x-a: 2",
              "Content-Type: application/json",
              "SVC-PROXY-DESTINATION-STATUS: 201");
      assertThat(response.bodyLength()).hasValue(7);
      assertThat(response.body().readAllBytes()).asString().isEqualTo("{\"b\":1}");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"301 Moved", "304 Not Modified", "400 Bad", "503 Busy"})
  void onlySuccessfulResponsesAreTransformed(String statusLine) {
    destinationResponds(statusLine, JSON, new byte[0]);

    assertThat(call().send().status()).isEqualTo(Integer.parseInt(statusLine.substring(0, 3)));
    assertThat(fixture.runner.runs()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"gzip,gzip", "x-gzip,gzip", "GZip,gzip", "deflate,zlib", "deflate,raw"})
  void compressedResponseIsDecompressedAnyway(String named, String coding) throws IOException {
    destinationResponds(
        "200 OK", JSON + "Content-Encoding: " + named + "\r\n", compress(coding, DECOMPRESSED));

    EngineFixture.Response response = call().send();

    assertThat(fixture.runner.kindAndBody()).isEqualTo("JSON " + DECOMPRESSED);
    assertThat(fixture.runner.run().context()).doesNotContain("encoding");
    assertThat(response.text()).isEqualTo(DECOMPRESSED);
    assertThat(response.lines())
        .containsExactly("Content-Type: application/json", "SVC-PROXY-DESTINATION-STATUS: 200");
  }

  @ParameterizedTest
  @ValueSource(strings = {"br", "zstd", "gzip, gzip", "gzip, br", "compress", "unknown"})
  void otherEncodingIsRejected(String coding) {
    destinationResponds(JSON + "Content-Encoding: " + coding + "\r\n", "some bytes");

    call().assertRefused(FailureCause.ANSWER_ENCODED);
    assertThat(fixture.runner.runs()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "deflate"})
  void invalidEncodingIsRejected(String coding) {
    destinationResponds(JSON + "Content-Encoding: " + coding + "\r\n", "not packed");

    call().assertRefused(FailureCause.ANSWER_ENCODED);
  }

  @Test
  void responseThatDecompressesPastLimitIsRejected() throws IOException {
    byte[] packed = compress("gzip", "x".repeat(EngineFixture.LIMIT + 1));
    destinationResponds("200 OK", "Content-Encoding: gzip\r\n", packed);

    assertThat(call().assertRefused(FailureCause.ANSWER_ENCODED)).contains("too large");
  }

  @Test
  void tooLargeResponseIsRejected() {
    destinationResponds("200 OK", "", new byte[EngineFixture.LIMIT + 1]);

    assertThat(call().assertRefused(FailureCause.ANSWER_ENCODED)).contains("too large");
  }

  @Test
  void malformedJsonIsReportedAsDestinationFailure() {
    destinationResponds(JSON, "<html>");

    call().assertRefused(FailureCause.ANSWER_ENCODED);
    assertThat(fixture.runner.runs()).isEmpty();
  }

  @Test
  void truncatedResponseIsNotTransformed() {
    fixture.destination.respondAndClose("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc");

    call().assertRefused(FailureCause.DESTINATION_BROKE_OFF);
    assertThat(fixture.runner.runs()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"HEAD,200 OK", "GET,204 No Content", "GET,200 OK"})
  void emptyResponseHasNoBody(String method, String statusLine) {
    fixture.destination.respondWith(
        "HTTP/1.1 "
            + statusLine
            + "\r\nContent-Type: application/json\r\nContent-Encoding: br\r\n"
            + (statusLine.startsWith("204") ? "" : "Content-Length: 0\r\n")
            + "\r\n");

    assertThat(call().method(method).send().body()).isEmpty();
    assertThat(fixture.runner.kindAndBody()).isEqualTo("NONE ");
  }

  @Test
  void headResponseHasLengthOfTransformedBody() throws IOException {
    destinationResponds("200 OK", JSON, new byte[0]);
    fixture.runner.endWith(returned(BodyKind.JSON, "{\"b\":1}"));

    try (ProxyResponse response = call().method("HEAD").open()) {
      assertThat(response.bodyLength()).hasValue(7);
      assertThat(response.body().readAllBytes()).isEmpty();
    }
  }

  @Test
  void bodyReturnedForNoContentResponseFails() {
    fixture.destination.respondWith("HTTP/1.1 204 No Content\r\n\r\n");
    fixture.runner.endWith(returned(BodyKind.JSON, "{\"b\":1}"));

    assertThat(failure()).hasMessageContaining("204");
  }

  private TransformFailedException failure() {
    TransformFailedException failed = call().transformFailure();
    assertThat(fixture.destination.waiting()).as("requests").isEqualTo(1);
    assertThat(failed.getMessage())
        .endsWith(" The request had already been sent to the destination.");
    return failed;
  }

  @Test
  void failureAfterSendingIsReportedWithStatusAndErrors() {
    fixture.runner.endWith(
        new Outcome.ErrorThrown(418, "{\"error\":[\"on purpose\"]}", new Position("", 4)));

    TransformFailedException failed = failure();

    assertThat(failed.status()).isEqualTo(418);
    assertThat(failed.errors().get("error")).containsExactly("on purpose");
    assertThat(failed).hasMessageStartingWith("The response transform failed at line 4.");
  }

  @Test
  void busyWorkersAfterSendingFailTransform() {
    fixture.runner.endWith(new Ending.Broken(WorkerFailure.BUSY));

    TransformFailedException failed = failure();

    assertThat(failed.status()).isEqualTo(503);
    assertThat(failed.failure()).isEqualTo(FailureCause.TRANSFORM_FAILED);
  }

  @Test
  void requestBodyMemoryIsReleasedOnceSent() throws Exception {
    openResponses(3, EngineFixture.LIMIT);
    String body = "x".repeat(EngineFixture.LIMIT);

    assertThat(call().method("POST").body("text/plain", body).send().status()).isEqualTo(200);
  }

  /** Opens responses of the destination, which are closed after the test. */
  private void openResponses(int count, int size) throws InterruptedException {
    destinationResponds("200 OK", "", new byte[size]);
    for (int i = 0; i < count; i++) {
      openResponses.add(call().open());
      fixture.destination.take();
    }
  }

  @AfterEach
  void closeResponses() throws IOException {
    for (ProxyResponse response : openResponses) {
      response.close();
    }
  }

  @Test
  void openResponseReservesOnlyItsLengthUntilClosed() throws Exception {
    openResponses(4, 500);

    assertThat(call().send().status()).isEqualTo(200);
  }

  @Test
  void memoryShortageAfterSendingFailsTransform() throws Exception {
    openResponses(4, EngineFixture.LIMIT);

    assertThat(failure().status()).isEqualTo(503);
  }

  @Test
  void customResponseReplacesDestinationResponse() {
    destinationResponds("200 OK", JSON + "X-A: 1\r\n", "{}".getBytes(UTF_8));
    fixture.runner.endWith(responseThrown(409, "{\"x-b\":\"2\"}", BodyKind.TEXT, "no"));

    EngineFixture.Response response = call().send();

    assertThat(response.status()).isEqualTo(409);
    assertThat(response.lines()).containsExactly("x-b: 2");
    assertThat(response.text()).isEqualTo("no");
  }

  @Test
  void requestTransformRunsBeforeResponseTransform() throws Exception {
    proxyKey =
        fixture.vault.transformProxyKey(
            fixture.url(), TransformKind.REQUEST, TransformKind.RESPONSE);
    fixture.runner.setScript(
        (run, host) ->
            ScriptedRunner.reported(
                returned(BodyKind.TEXT, new String(run.content().bytes(), UTF_8) + "+", "{}")));

    EngineFixture.Response response = call().method("POST").body("text/plain", "in").send();

    assertThat(fixture.destination.take().bodyText()).isEqualTo("in+");
    assertThat(response.text()).isEqualTo("ok+");
    assertThat(fixture.runner.runs())
        .extracting(run -> run.program().key().split("/")[2])
        .containsExactly("REQUEST", "RESPONSE");
  }

  @Test
  void memoryIsReleasedHoweverTransformEnds() {
    destinationResponds("200 OK", "", new byte[EngineFixture.LIMIT]);
    for (Outcome outcome :
        List.of(
            returned(BodyKind.TEXT, "y".repeat(EngineFixture.LIMIT)),
            responseThrown(400, "{}", BodyKind.TEXT, "y".repeat(EngineFixture.LIMIT)))) {
      fixture.runner.endWith(outcome);
      for (int i = 0; i < 20; i++) {
        call().send();
      }
    }
    fixture.runner.endWith(new Ending.Broken(WorkerFailure.DIED));
    for (int i = 0; i < 20; i++) {
      assertThat(call().transformFailure()).hasMessageContaining("ended without a result");
    }
  }

  @Test
  void connectionIsReusedAfterTransform() {
    for (int i = 0; i < 5; i++) {
      call().send();
    }

    assertThat(fixture.destination.connections()).isEqualTo(1);
  }
}
