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
  enum Kind {
    GET,
    EMPTY_POST,
    SMALL_POST,
    STREAMED_POST,
    LARGE_POST;

    EngineFixture.Call on(EngineFixture.Call call) {
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

  /** Returns all kinds in the long run, otherwise one that OkHttp may retry and one it may not. */
  static Stream<Kind> kinds() {
    return Effort.IS_FULL ? Stream.of(Kind.values()) : Stream.of(Kind.GET, Kind.SMALL_POST);
  }

  /** Combines each value with all kinds in the long run, and otherwise with one kind. */
  private static <T> Stream<Arguments> withKinds(List<T> values) {
    int count = Kind.values().length;
    return IntStream.range(0, values.size() * count)
        .filter(i -> Effort.IS_FULL || i % count == i / count % count)
        .mapToObj(i -> Arguments.of(Kind.values()[i % count], values.get(i / count)));
  }

  static Stream<Arguments> statuses() {
    return withKinds(STATUSES);
  }

  @ParameterizedTest
  @MethodSource("statuses")
  void statusNeverCausesRetry(Kind kind, String statusAndHeader) throws Exception {
    fixture.destination.answers("HTTP/1.1 " + statusAndHeader + "\r\nContent-Length: 0\r\n\r\n");

    int status = kind.on(fixture.call()).send().status();

    assertThat(status).isEqualTo(Integer.parseInt(statusAndHeader.substring(0, 3)));
    assertArrivedOnce();
  }

  private void assertArrivedOnce() throws InterruptedException {
    fixture.destination.take();
    assertThat(fixture.destination.waiting()).as("further requests").isZero();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void connectionLossAfterRequestCausesNoRetry(Kind kind) throws Exception {
    fixture.destination.answersAndCloses("");

    assertBrokeOff(kind);
    assertArrivedOnce();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void lossOfReusedConnectionAfterRequestCausesNoRetry(Kind kind) throws Exception {
    fixture.get().delivered();
    fixture.destination.answersAndCloses("");

    assertBrokeOff(kind);
    assertArrivedOnce();
    assertThat(fixture.destination.connections()).isEqualTo(1);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void connectionLossWithinResponseHeadCausesNoRetry(Kind kind) throws Exception {
    fixture.destination.answersAndCloses("HTTP/1.1 200 OK\r\nX-A:");

    assertBrokeOff(kind);
    assertArrivedOnce();
  }

  private void assertBrokeOff(Kind kind) {
    kind.on(fixture.call()).assertRefused(FailureCause.DESTINATION_BROKE_OFF);
  }

  /** Closes the connection before the request is complete. */
  @ParameterizedTest
  @MethodSource("kinds")
  void resetAfterRequestHeadCausesNoRetry(Kind kind) throws Exception {
    AtomicInteger heads = new AtomicInteger();
    try (RawDestination resetting =
        new RawDestination(fixture.serverCertificates(EngineFixture.HOST).sslContext()) {
          @Override
          void converse(Socket socket) throws IOException {
            socket.getInputStream().readNBytes(60);
            heads.incrementAndGet();
            dropConnections();
          }
        }) {
      kind.on(
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
  void connectionClosedDuringWriteSendsRequestAtMostOnce(Kind kind) throws Exception {
    fixture.destination.answersAndCloses(RawDestination.OK);
    int failed = 0;
    for (int round = 0; round < 30; round++) {
      failed += isAnswered(kind.on(fixture.call().path("/" + round))) ? 0 : 1;
    }

    List<String> arrived = new ArrayList<>();
    while (fixture.destination.waiting() > 0) {
      arrived.add(fixture.destination.take().target());
    }
    assertThat(arrived).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(30 - failed);
  }

  private static boolean isAnswered(EngineFixture.Call call) {
    try {
      call.send();
      return true;
    } catch (VaultException | UncheckedIOException failed) {
      return false;
    }
  }

  /** Ways in which an HTTP/2 destination ends a stream without a response. */
  enum Ending {
    REFUSED((stream, connection) -> connection.reset(stream, 7)),
    FAILED((stream, connection) -> connection.reset(stream, 2)),
    CANCELLED((stream, connection) -> connection.reset(stream, 8)),
    NO_ERROR((stream, connection) -> connection.reset(stream, 0)),
    GOING_AWAY_BEFORE_IT((stream, connection) -> connection.goAway(stream - 2, 0)),
    CLOSED(
        (stream, connection) -> {
          throw new IOException("closed by the test");
        });

    private final RawHttp2Destination.Frames frames;

    Ending(RawHttp2Destination.Frames frames) {
      this.frames = frames;
    }
  }

  static Stream<Arguments> endings() {
    return withKinds(List.of(Ending.values()));
  }

  @ParameterizedTest
  @MethodSource("endings")
  void http2StreamEndingWithoutResponseIsNotReopened(Kind kind, Ending ending) throws Exception {
    try (RawHttp2Destination server = http2()) {
      call(Kind.GET, server).send();
      server.answersWith(ending.frames);

      call(kind, server).assertRefused(FailureCause.DESTINATION_BROKE_OFF);

      assertThat(server.streams()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void http2StreamCompletedDuringGoAwayReturnsResponse(Kind kind) throws Exception {
    // The destination stops reading a large body, which ends the request at the idle timeout.
    Duration idle = kind == Kind.LARGE_POST ? Duration.ofMillis(800) : EngineFixture.PATIENCE;
    try (RawHttp2Destination server = http2();
        ProxyEngine engine = fixture.pausing(EngineFixture.PATIENCE, idle)) {
      server.answersWith(
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

  private EngineFixture.Call call(Kind kind, RawHttp2Destination server) {
    return kind.on(fixture.call().to(EngineFixture.urlAt(server.port())));
  }
}
