package io.tokenvault.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.VaultException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests that may have arrived are never sent again. */
class SentOnceTest {

  private static final int SMALL = 10;
  private static final int LARGE = 300_000;

  /** Requests for which OkHttp has different retry rules. */
  enum RequestKind {
    GET,
    EMPTY_POST,
    SMALL_POST,
    STREAMED_POST,
    LARGE_POST;

    EngineFixture.Call applyTo(EngineFixture.Call call) {
      return switch (this) {
        case GET -> call.method("GET");
        case EMPTY_POST -> call.method("POST");
        case SMALL_POST -> call.body("application/octet-stream", new byte[SMALL]);
        case STREAMED_POST -> streamed(call, SMALL);
        case LARGE_POST -> streamed(call, LARGE);
      };
    }

    private static EngineFixture.Call streamed(EngineFixture.Call call, int size) {
      return call.header("Content-Type", "application/octet-stream").stream(
          new ByteArrayInputStream(new byte[size]));
    }
  }

  @AutoClose private final EngineFixture fixture = EngineFixture.withHttp2();

  private static final List<String> STATUSES =
      List.of(
          "503 Busy\r\nRetry-After: 0",
          "408 Slow\r\nRetry-After: 0",
          "408 Slow\r\nConnection: close",
          "421 Misdirected",
          "401 Unauthorized\r\nWWW-Authenticate: Basic realm=a",
          "407 Proxy\r\nProxy-Authenticate: Basic realm=a",
          "302 Found\r\nLocation: /elsewhere",
          "307 Temporary\r\nLocation: /elsewhere");

  /**
   * Returns all kinds in the long build, otherwise one that OkHttp may retry and one it may not.
   */
  static Stream<RequestKind> kinds() {
    return TestSize.IS_FULL
        ? Stream.of(RequestKind.values())
        : Stream.of(RequestKind.GET, RequestKind.SMALL_POST);
  }

  /** Combines each value with all kinds in the long build, otherwise with one kind. */
  private static <T> Stream<Arguments> withKinds(List<T> values) {
    int count = RequestKind.values().length;
    return IntStream.range(0, values.size() * count)
        .filter(i -> TestSize.IS_FULL || i % count == i / count % count)
        .mapToObj(i -> Arguments.of(RequestKind.values()[i % count], values.get(i / count)));
  }

  static Stream<Arguments> statuses() {
    return withKinds(STATUSES);
  }

  @ParameterizedTest
  @MethodSource("statuses")
  void statusNeverCausesRetry(RequestKind kind, String statusAndHeader) throws Exception {
    fixture.destination.respondWith(
        "HTTP/1.1 " + statusAndHeader + "\r\nContent-Length: 0\r\n\r\n");

    int status = kind.applyTo(fixture.call()).send().status();

    assertThat(status).isEqualTo(Integer.parseInt(statusAndHeader.substring(0, 3)));
    assertReceivedOnce();
  }

  private void assertReceivedOnce() throws InterruptedException {
    fixture.destination.take();
    assertThat(fixture.destination.waiting()).as("further requests").isZero();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void connectionLossAfterRequestCausesNoRetry(RequestKind kind) throws Exception {
    fixture.destination.respondAndClose("");

    assertFails(kind);
    assertReceivedOnce();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void lossOfReusedConnectionAfterRequestCausesNoRetry(RequestKind kind) throws Exception {
    fixture.get().delivered();
    fixture.destination.respondAndClose("");

    assertFails(kind);
    assertReceivedOnce();
    assertThat(fixture.destination.connections()).isEqualTo(1);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void connectionLossWithinResponseHeadCausesNoRetry(RequestKind kind) throws Exception {
    fixture.destination.respondAndClose("HTTP/1.1 200 OK\r\nX-A:");

    assertFails(kind);
    assertReceivedOnce();
  }

  private void assertFails(RequestKind kind) {
    kind.applyTo(fixture.call()).assertRefused(FailureCause.DESTINATION_BROKE_OFF);
  }

  /** Closes the connection before the request is complete. */
  @ParameterizedTest
  @MethodSource("kinds")
  void resetAfterRequestHeadCausesNoRetry(RequestKind kind) throws Exception {
    AtomicInteger heads = new AtomicInteger();
    try (RawDestination resetting =
        new RawDestination(fixture.serverCertificates(EngineFixture.HOST).sslContext()) {
          @Override
          void handle(Socket socket) throws IOException {
            socket.getInputStream().readNBytes(60);
            heads.incrementAndGet();
            dropConnections();
          }
        }) {
      kind.applyTo(
              fixture
                  .call()
                  .header("X-Long", "x".repeat(100))
                  .to(EngineFixture.urlAt(resetting.port())))
          .assertRefused(FailureCause.DESTINATION_BROKE_OFF);

      assertThat(heads).hasValue(1);
      assertThat(resetting.connections()).isEqualTo(1);
    }
  }

  /** The connection is closed after each response, at varying moments of the next request. */
  @ParameterizedTest
  @MethodSource("kinds")
  void connectionClosedDuringWriteSendsRequestAtMostOnce(RequestKind kind) throws Exception {
    fixture.destination.respondAndClose(RawDestination.OK);
    int failed = 0;
    for (int round = 0; round < 30; round++) {
      failed += isSuccessful(kind.applyTo(fixture.call().path("/" + round))) ? 0 : 1;
    }

    List<String> received = new ArrayList<>();
    while (fixture.destination.waiting() > 0) {
      received.add(fixture.destination.take().target());
    }
    assertThat(received).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(30 - failed);
  }

  private static boolean isSuccessful(EngineFixture.Call call) {
    try {
      call.send();
      return true;
    } catch (VaultException | UncheckedIOException failed) {
      return false;
    }
  }

  /** Ways in which an HTTP/2 destination ends a stream without a response. */
  enum StreamEnding {
    REFUSED((stream, connection) -> connection.reset(stream, 7)),
    FAILED((stream, connection) -> connection.reset(stream, 2)),
    CANCELLED((stream, connection) -> connection.reset(stream, 8)),
    NO_ERROR((stream, connection) -> connection.reset(stream, 0)),
    GO_AWAY((stream, connection) -> connection.goAway(stream - 2, 0)),
    CLOSED(
        (stream, connection) -> {
          throw new IOException("closed by the test");
        });

    private final RawHttp2Destination.StreamScript script;

    StreamEnding(RawHttp2Destination.StreamScript script) {
      this.script = script;
    }
  }

  static Stream<Arguments> endings() {
    return withKinds(List.of(StreamEnding.values()));
  }

  @ParameterizedTest
  @MethodSource("endings")
  void http2StreamEndingWithoutResponseIsNotReopened(RequestKind kind, StreamEnding ending)
      throws Exception {
    try (RawHttp2Destination server = http2()) {
      call(RequestKind.GET, server).send();
      server.setScript(ending.script);

      call(kind, server).assertRefused(FailureCause.DESTINATION_BROKE_OFF);

      assertThat(server.streams()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void http2StreamCompletedDuringGoAwayReturnsResponse(RequestKind kind) throws Exception {
    // The destination stops reading a large body; the rest is dropped at the idle timeout.
    Duration idle = kind == RequestKind.LARGE_POST ? Duration.ofMillis(800) : EngineFixture.TIMEOUT;
    try (RawHttp2Destination server = http2();
        ProxyEngine engine = fixture.newEngine(EngineFixture.TIMEOUT, idle)) {
      server.setScript(
          (stream, connection) -> {
            connection.goAway(stream, 0);
            connection.ok(stream);
          });

      assertThat(call(kind, server).send(engine).status()).isEqualTo(200);
      assertThat(call(kind, server).send(engine).status()).isEqualTo(200);

      assertThat(server.streams()).isEqualTo(2);
      assertThat(server.connections()).isEqualTo(2);
    }
  }

  private RawHttp2Destination http2() throws IOException {
    return new RawHttp2Destination(
        fixture.serverCertificates(EngineFixture.HOST).sslContext(),
        (stream, connection) -> connection.ok(stream));
  }

  private EngineFixture.Call call(RequestKind kind, RawHttp2Destination server) {
    return kind.applyTo(fixture.call().to(EngineFixture.urlAt(server.port())));
  }
}
