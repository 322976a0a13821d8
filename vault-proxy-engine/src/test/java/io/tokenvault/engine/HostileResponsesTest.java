package io.tokenvault.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.ports.api.ProxyResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Malformed and malicious responses of destinations. */
@Execution(ExecutionMode.CONCURRENT)
class HostileResponsesTest {

  @AutoClose private final EngineFixture fixture = EngineFixture.withHttp2();

  private void assertRejected(String response) throws Exception {
    fixture.destination.respondWith(response);

    String message = fixture.get().assertRefused(FailureCause.DESTINATION_BROKE_OFF);

    assertThat(message).doesNotContain("planted");
    fixture.destination.take();
    assertThat(fixture.destination.waiting()).as("further requests").isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 2\r\nContent-Length: 3",
        "Content-Length: 2\r\nTransfer-Encoding: chunked",
        "Content-Length: 2, 2",
        "Content-Length: -2",
        "Content-Length: +2",
        "Content-Length: 0x2",
        "Content-Length: 99999999999999999999",
        "Content-Length:",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: identity"
      })
  void responseWithAmbiguousLengthIsRejected(String lines) throws Exception {
    assertRejected("HTTP/1.1 200 OK\r\n" + lines + "\r\n\r\nab");
  }

  @Test
  void repeatedIdenticalLengthIsAccepted() {
    fixture.destination.respondWith(
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok");

    assertThat(fixture.get().send().text()).isEqualTo("ok");
  }

  @Test
  void connectionOfAmbiguousResponseIsNotReused() throws Exception {
    assertRejected("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 0\r\n\r\nab");
    fixture.destination.respondWith(RawDestination.OK);

    assertThat(fixture.get().send().text()).isEqualTo("ok");
    assertThat(fixture.destination.connections()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "X-A: a\rSet-Cookie: planted=1",
        "X-A: a\u0000planted",
        "X\rSet-Cookie: planted",
        "X\u0000-A: planted",
        "X-A : planted",
        "X-A: a\r\n planted-fold",
        "X-A: a\r\n\tSet-Cookie: planted",
        ": planted",
        "planted",
        "X A: planted",
        "X(A): planted"
      })
  void responseWithInjectableHeaderIsRejected(String lines) throws Exception {
    assertRejected("HTTP/1.1 200 OK\r\n" + lines + "\r\nContent-Length: 2\r\n\r\nok");
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP/2.0 200 OK", "HTTP/1.1 -12 OK", "FTP/1.1 200 OK", ""})
  void responseWithoutValidStatusIsRejected(String statusLine) throws Exception {
    assertRejected(statusLine + "\r\nContent-Length: 2\r\n\r\nok");
  }

  @Test
  void responseHeadWithBareLineFeedsIsAccepted() {
    fixture.destination.respondWith("HTTP/1.1 200 OK\nX-A: b\nContent-Length: 2\n\nok");

    EngineFixture.Response response = fixture.get().send();

    assertThat(response.text()).isEqualTo("ok");
    assertThat(response.lines()).containsExactly("X-A: b", "SVC-PROXY-DESTINATION-STATUS: 200");
  }

  @ParameterizedTest
  @ValueSource(strings = {"zz", "", "-1", "fffffffffffffffff", "2 x", "0x2"})
  void bodyWithInvalidChunkSizeIsReportedAsTruncated(String size) throws Exception {
    fixture.destination.respondWith(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n"
            + size
            + "\r\nok\r\n0\r\n\r\n");

    assertTruncated();
  }

  @Test
  void chunkedBodyWithoutLastChunkIsReportedAsTruncated() throws Exception {
    fixture.destination.respondAndClose(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n");

    assertTruncated();
  }

  /** Covers trailers, chunk extensions and chunk sizes. */
  @ParameterizedTest
  @CsvSource({"'0\r\n', 'X-A: b\r\n'", "1;, a=b;", "'', 0"})
  void endlessTextAroundChunksIsNotRead(String beginning, String repeated) throws Exception {
    fixture.destination.respondWith(
        (request, out) -> {
          write(out, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + beginning);
          return writeForever(out, repeated);
        });

    assertTruncated();
  }

  /** The limit applies to each part of a body, not to a whole body or connection. */
  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"1\r\na\r\n", "1000;name=value\r\n"})
  void longBodyOfManyChunksIsForwarded(String start) throws Exception {
    String chunk = start.length() > 8 ? start + "a".repeat(0x1000) + "\r\n" : start;
    fixture.destination.respondWith(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + chunk.repeat(1_500_000 / chunk.length())
            + "0\r\n\r\n");

    for (int i = 0; i < 2; i++) {
      assertThat(fixture.get().send().text()).hasSizeGreaterThan(200_000).matches("a*");
    }
  }

  private void assertTruncated() throws IOException {
    try (ProxyResponse response = fixture.get().open()) {
      assertThatThrownBy(() -> response.body().readAllBytes())
          .isInstanceOf(IOException.class)
          .hasNoCause();
    }
  }

  @Test
  void bytesAfterResponseAreNotNextResponse() throws Exception {
    fixture.destination.respondWith(RawDestination.OK + plantedResponse());

    assertThat(fixture.get().send().text()).isEqualTo("ok");
    fixture.destination.respondWith(RawDestination.OK);
    assertThat(fixture.get().send().text()).isEqualTo("ok");
    assertThat(fixture.destination.connections()).isEqualTo(2);
  }

  @Test
  void bytesArrivingLaterAreNotNextResponse() throws Exception {
    CountDownLatch written = new CountDownLatch(1);
    fixture.destination.respondWith(
        (request, out) -> {
          write(out, RawDestination.OK);
          out.flush();
          write(out, plantedResponse());
          out.flush();
          written.countDown();
          return true;
        });

    assertThat(fixture.get().send().text()).isEqualTo("ok");
    assertThat(written.await(10, TimeUnit.SECONDS)).isTrue();
    fixture.destination.respondWith(RawDestination.OK);
    assertThat(fixture.get().send().text()).isEqualTo("ok");
    assertThat(fixture.destination.connections()).isEqualTo(2);
  }

  private static String plantedResponse() {
    return "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nplanted";
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-A: b\r\n", "HTTP/1.1 103 Hints\r\n\r\n", "x"})
  void endlessResponseHeadIsAborted(String line) {
    fixture.destination.respondWith(
        (request, out) -> {
          write(out, line.startsWith("X-A") ? "HTTP/1.1 200 OK\r\n" : "");
          return writeForever(out, line);
        });

    fixture.get().assertRefused(FailureCause.DESTINATION_BROKE_OFF);
  }

  @Test
  void responseHeadHasAtMost256KibWithInterimResponses() {
    String interim = "HTTP/1.1 103 Hints\r\nLink: " + "x".repeat(100 << 10) + "\r\n\r\n";
    String head = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-A: %s\r\n\r\nok";
    fixture.destination.respondWith(interim + head.formatted("x".repeat(155 << 10)));
    assertThat(fixture.get().send().text()).isEqualTo("ok");

    fixture.destination.respondWith(interim + head.formatted("x".repeat(156 << 10)));
    fixture.get().assertRefused(FailureCause.DESTINATION_BROKE_OFF);
  }

  /** Writes until the peer closes the connection. */
  static boolean writeForever(OutputStream out, String text) throws IOException {
    byte[] bytes = text.repeat(1_000).getBytes(UTF_8);
    while (true) {
      out.write(bytes);
    }
  }

  @Test
  void interimResponsesDoNotExtendTimeout() throws Exception {
    fixture.destination.respondWith(
        (request, out) -> {
          while (true) {
            write(out, "HTTP/1.1 103 Hints\r\n\r\n");
            out.flush();
            Thread.sleep(50);
          }
        });

    try (ProxyEngine engine = engineWithShortTimeout()) {
      fixture.call().assertRefused(FailureCause.ANSWER_TIMEOUT, engine);
    }
  }

  private ProxyEngine engineWithShortTimeout() {
    return fixture.newEngine(Duration.ofMillis(800), EngineFixture.TIMEOUT);
  }

  @Test
  void notModifiedResponseWithLengthHasNoBody() throws Exception {
    fixture.destination.respondWith("HTTP/1.1 304 Not Modified\r\nContent-Length: 1234\r\n\r\n");

    try (ProxyResponse response = fixture.get().open()) {
      assertThat(response.bodyLength()).hasValue(1234);
      assertThat(response.body().readAllBytes()).isEmpty();
    }
    fixture.destination.respondWith(RawDestination.OK);
    assertThat(fixture.get().send().text()).isEqualTo("ok");
  }

  /** The destination never closes the connection, so that only the engine can end the request. */
  @Test
  @Timeout(60)
  void destinationThatDoesNotReadTimesOut() throws Exception {
    CountDownLatch testEnd = new CountDownLatch(1);
    try (RawDestination server = nonReadingServer(testEnd);
        ProxyEngine engine = fixture.newEngine(EngineFixture.TIMEOUT, Duration.ofMillis(500))) {
      upload(server).assertRefused(FailureCause.ANSWER_TIMEOUT, engine);
    } finally {
      testEnd.countDown();
    }
  }

  private RawDestination nonReadingServer(CountDownLatch testEnd) throws IOException {
    return new RawDestination(fixture.serverCertificates(EngineFixture.HOST).sslContext()) {
      @Override
      void handle(Socket socket) throws IOException, InterruptedException {
        socket.getInputStream().readNBytes(16);
        testEnd.await();
      }
    };
  }

  @Test
  void responseSentBeforeBodyIsReadIsForwarded() throws Exception {
    try (RawDestination server = earlyRespondingServer()) {
      EngineFixture.Response response = upload(server).send();

      assertThat(response.status()).isEqualTo(413);
    }
  }

  /** Returns a server that responds to the start of a request and closes the connection. */
  private RawDestination earlyRespondingServer() throws IOException {
    return new RawDestination(fixture.serverCertificates(EngineFixture.HOST).sslContext()) {
      @Override
      void handle(Socket socket) throws IOException {
        OutputStream out = socket.getOutputStream();
        socket.getInputStream().readNBytes(16);
        write(out, "HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        out.flush();
      }
    };
  }

  private EngineFixture.Call upload(RawDestination to) {
    return fixture
        .call()
        .to(EngineFixture.urlAt(to.port()))
        .header("Content-Type", "application/octet-stream")
        .stream(zeros(), 1_000_000_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a\r\nset-cookie: planted=1", "a\nplanted", "a\rplanted", "a\u0000planted"})
  void http2ResponseWithInjectableHeaderIsRejected(String value) throws Exception {
    assertHttp2Rejected(
        (stream, connection) ->
            connection.headers(
                stream, RawHttp2Destination.END_STREAM, ":status", "200", "x-a", value));
  }

  @Test
  void http2ResponseWithInjectableHeaderNameIsRejected() throws Exception {
    assertHttp2Rejected(
        (stream, connection) ->
            connection.headers(
                stream, RawHttp2Destination.END_STREAM, ":status", "200", "x\r\nplanted", "a"));
  }

  private void assertHttp2Rejected(RawHttp2Destination.StreamScript script) throws Exception {
    try (RawHttp2Destination server = http2(script)) {
      get(server).assertRefused(FailureCause.DESTINATION_BROKE_OFF);
    }
  }

  @Test
  void endlessHttp2InterimResponsesTimeOut() throws Exception {
    try (RawHttp2Destination server =
            http2(
                (stream, connection) -> {
                  while (true) {
                    connection.headers(stream, 0, ":status", "103");
                  }
                });
        ProxyEngine engine = engineWithShortTimeout()) {
      get(server).assertRefused(FailureCause.ANSWER_TIMEOUT, engine);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "shor", "longer"})
  void http2BodyOfUnexpectedLengthIsReportedAsTruncated(String body) throws Exception {
    try (RawHttp2Destination server =
            http2(
                (stream, connection) -> {
                  connection.headers(stream, 0, ":status", "200", "content-length", "5");
                  connection.data(stream, RawHttp2Destination.END_STREAM, body);
                });
        ProxyResponse response = get(server).open()) {
      assertThatThrownBy(() -> response.body().readAllBytes()).isInstanceOf(IOException.class);
    }
  }

  private RawHttp2Destination http2(RawHttp2Destination.StreamScript script) throws IOException {
    return new RawHttp2Destination(
        fixture.serverCertificates(EngineFixture.HOST).sslContext(), script);
  }

  private EngineFixture.Call get(RawDestination from) {
    return fixture.get().to(EngineFixture.urlAt(from.port()));
  }

  static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(UTF_8));
  }

  private static InputStream zeros() {
    return new InputStream() {
      @Override
      public int read() {
        return 0;
      }
    };
  }
}
