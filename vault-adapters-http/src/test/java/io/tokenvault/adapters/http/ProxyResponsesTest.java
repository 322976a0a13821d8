package io.tokenvault.adapters.http;

import static io.tokenvault.adapters.http.RecordingProxy.header;
import static io.tokenvault.adapters.http.RecordingProxy.response;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that callers receive the destination's response unchanged, or visibly truncated. */
class ProxyResponsesTest {

  private static final OptionalLong UNKNOWN = OptionalLong.empty();
  private static final String[] GET = {"GET /proxy HTTP/1.1", "Host: x", "SVC-TRACE-ID: t-1"};

  private final RecordingProxy proxy = new RecordingProxy();
  @AutoClose private final TestServer server = TestServer.start(proxy);

  @Test
  void traceIdPrecedesDestinationHeadersInOrder() {
    proxy.respondWith(
        response(
            299,
            "abc",
            header("Set-Cookie", "a=1"),
            header("X-b", "2"),
            header("Server", "theirs"),
            header("Set-Cookie", "b=2"),
            header("Content-Type", "text/html; Charset=X"),
            header("Date", "yesterday"),
            header("Cache-Control", "public"),
            header("X-Empty", ""),
            header("x-b", "1"),
            header("SVC-PROXY-DESTINATION-STATUS", "299")));

    RawResponse response = server.send(GET);

    assertThat(response.status()).isEqualTo(299);
    assertThat(response.headerLines())
        .containsExactly(
            "SVC-TRACE-ID: t-1",
            "Set-Cookie: a=1",
            "X-b: 2",
            "Server: theirs",
            "Set-Cookie: b=2",
            "Content-Type: text/html; Charset=X",
            "Date: yesterday",
            "Cache-Control: public",
            "X-Empty:",
            "x-b: 1",
            "SVC-PROXY-DESTINATION-STATUS: 299",
            "Content-Length: 3");
    assertThat(response.body()).isEqualTo("abc");
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 204, 299, 302, 407, 451, 500, 599})
  void statusOfTransformResponseIsSent(int status) {
    proxy.respondWith(
        response(status, status == 204 ? "" : "{}", header("X-A", "1"), header("X-A", "2")));

    RawResponse response = server.send(GET);

    assertThat(response.status()).isEqualTo(status);
    assertThat(response.values("X-A")).containsExactly("1", "2");
    assertThat(response.body()).isEqualTo(status == 204 ? "" : "{}");
  }

  @Test
  void transformResponseHeadersCannotChangeFraming() {
    proxy.respondWith(
        response(
            200,
            "abc",
            header("Transfer-Encoding", "chunked"),
            header("Connection", "close, X-A"),
            header("Keep-Alive", "timeout=1"),
            header("Content-Length", "7"),
            header("Trailer", "X-B"),
            header("Upgrade", "h2c"),
            header("svc-trace-id", "forged"),
            header("SVC-Other", "forged"),
            header("X-A", "1\r\nX-Forged: 1\r\n\r\nforged"),
            header("X-B\r\nX-Forged", "1"),
            header("X C", "1"),
            header("", "1"),
            header("X-D", "kept")));
    try (RawConnection connection = server.connect()) {
      RawResponse response = connection.send(GET).readResponse();
      assertThat(response.headerLines())
          .containsExactly(
              "SVC-TRACE-ID: t-1",
              "X-A: 1  X-Forged: 1    forged",
              "X-D: kept",
              "Content-Length: 3");
      assertThat(response.body()).isEqualTo("abc");
      proxy.respondWith(response(200, "next"));
      assertThat(connection.send(GET).readResponse().body()).isEqualTo("next");
    }
  }

  @Test
  void bareResponseGainsOnlyTraceIdAndLength() {
    proxy.respondWith(response(200, "x"));

    assertThat(server.send(GET).headerLines())
        .containsExactly("SVC-TRACE-ID: t-1", "Content-Length: 1");
  }

  @Test
  void everyHeaderValueByteIsReturned() {
    StringBuilder value = new StringBuilder("v".repeat(250_000));
    for (char each = 0x80; each <= 0xff; each++) {
      value.append(each);
    }
    proxy.respondWith(response(200, "", header("Bytes", value.toString())));

    assertThat(server.send(GET).header("Bytes")).isEqualTo(value.toString());
  }

  @Test
  void unknownLengthBodyIsSentInChunks() {
    proxy.respondWith(response(200, stream("abc"), UNKNOWN));

    RawResponse response = server.send(GET);

    assertThat(response.header("Transfer-Encoding")).isEqualTo("chunked");
    assertThat(response.body()).isEqualTo("abc");
  }

  @Test
  void http10CallerReceivesUnknownLengthBodyUntilClose() {
    proxy.respondWith(response(200, stream("abc"), UNKNOWN));

    RawResponse response = server.send("GET /proxy HTTP/1.0", "Host: x");

    assertThat(response.values("Transfer-Encoding")).isEmpty();
    assertThat(response.body()).isEqualTo("abc");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void emptyBodyIsReturnedEmpty(boolean announced) {
    proxy.respondWith(response(200, stream(""), announced ? OptionalLong.of(0) : UNKNOWN));
    try (RawConnection connection = server.connect()) {
      assertThat(connection.send(GET).readResponse().body()).isEmpty();
      assertThat(connection.send(GET).readResponse().body()).isEmpty();
    }
  }

  /** RFC 9110, section 8.6: a response with status 204 has no length either. */
  @ParameterizedTest
  @CsvSource({
    "HEAD, 200, '', 7, 7",
    "HEAD, 200, '', ,",
    "HEAD, 404, '', 7, 7",
    "GET, 204, '', ,",
    "GET, 304, '', 7, 7",
    "GET, 304, '', ,",
    "HEAD, 200, {}, 2, 2",
    "HEAD, 204, {}, 2,",
    "GET, 204, {}, 2,",
    "GET, 304, {}, 2, 2"
  })
  void responseThatForbidsABodyHasNoneAndLeavesConnectionUsable(
      String method, int status, String body, String announced, String sent) {
    OptionalLong length = announced == null ? UNKNOWN : OptionalLong.of(Long.parseLong(announced));
    proxy.respondWith(call -> response(status, stream(body), length, header("X-A", "kept")));
    try (RawConnection connection = server.connect()) {
      connection.send(method + " /proxy HTTP/1.1", "Host: x");
      RawResponse response = connection.readResponse("HEAD");
      assertThat(response.status()).isEqualTo(status);
      assertThat(response.header("X-A")).isEqualTo("kept");
      assertThat(response.values("Content-Length"))
          .isEqualTo(sent == null ? List.of() : List.of(sent));
      assertThat(response.values("Connection")).isEmpty();
      proxy.respondWith(response(200, "next"));
      assertThat(connection.send(GET).readResponse().body()).isEqualTo("next");
    }
  }

  @Test
  void destinationMayExceedIdleTimeout() {
    Duration idleTimeout = Duration.ofMillis(400);
    RecordingProxy slow = new RecordingProxy();
    slow.respondWith(
        call -> {
          UncheckedWait.sleep(idleTimeout.multipliedBy(3).dividedBy(2));
          return response(200, stream("end"), UNKNOWN);
        });
    try (TestServer shortIdleServer = TestServer.start(slow, TestServer.idleTimeout(idleTimeout))) {
      assertThat(shortIdleServer.send(GET).body()).isEqualTo("end");
    }
  }

  @ParameterizedTest
  @CsvSource({"0, true", "3, true", "100000, true", "0, false", "3, false", "100000, false"})
  void truncatedResponseNeverLooksComplete(int sent, boolean announced) throws IOException {
    InputStream body =
        new SequenceInputStream(stream("x".repeat(sent)), RecordingProxy.brokenStream());
    proxy.respondWith(response(200, body, announced ? OptionalLong.of(sent + 6) : UNKNOWN));
    assertNotComplete();
  }

  /** Accepts an error response, too: the body may fail before the response is started. */
  private void assertNotComplete() throws IOException {
    try (RawConnection connection = server.connect()) {
      RawResponse head = new RawResponse(connection.send(GET).readHead(), new byte[0]);
      if (head.status() != 200) {
        assertThat(head.status()).isIn(500, 502);
      } else if (head.values("Transfer-Encoding").isEmpty()) {
        assertThat((long) connection.readToEnd().length())
            .isLessThan(Long.parseLong(head.header("Content-Length")));
      } else {
        assertThat(connection.readToEnd()).doesNotEndWith("0\r\n\r\n");
      }
    }
    proxy.awaitResponseClosed();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ab", ""})
  void wrongLengthBodyNeverLooksComplete(String body) throws IOException {
    proxy.respondWith(response(200, stream(body), OptionalLong.of(3)));
    assertNotComplete();
  }

  @Test
  void failureIsReturnedAsProxyError() {
    proxy.failWith(new RefusedException(FailureCause.CONNECT_TIMEOUT, "for the caller"));

    RawResponse response = server.send(GET).isProxyError(504, "connect-timeout");

    assertThat(response.values("SVC-PROXY-DESTINATION-STATUS")).isEmpty();
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
  }
}
