package io.tokenvault.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.ports.api.ProxyResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Forwarding of requests and responses, byte for byte. */
class ForwardingTest {

  @AutoClose private final EngineFixture fixture = new EngineFixture();

  @BeforeEach
  void start() {
    fixture.vault.token("tok-1", "\"4111\"");
  }

  @Test
  void headersAreForwardedUnchangedAndInOrder() throws Exception {
    RawDestination.Received received =
        fixture
            .get()
            .path("/a")
            .header("X-One", "1")
            .header("Authorization", "Bearer abc")
            .header("x-one", "2")
            .header("Accept-Encoding", "br")
            .header("User-Agent", "mine/1")
            .header("X-One", "3")
            .delivered();

    assertThat(received.head())
        .isEqualTo(
            "GET /a HTTP/1.1\r\nHost: "
                + EngineFixture.HOST
                + ":"
                + fixture.destination.port()
                + "\r\nX-One: 1\r\nAuthorization: Bearer abc\r\nx-one: 2\r\nAccept-Encoding: br\r\n"
                + "User-Agent: mine/1\r\nX-One: 3");
  }

  @Test
  void connectionAndServiceHeadersAreNotForwarded() throws Exception {
    RawDestination.Received received =
        fixture
            .call()
            .method("DELETE")
            .header("Connection", "close, X-Hop")
            .header("Host", "elsewhere.example.test")
            .header("X-Hop", "1")
            .header("Proxy-Connection", "keep-alive")
            .header("Keep-Alive", "timeout=1")
            .header("TE", "trailers")
            .header("Trailer", "X-End")
            .header("Transfer-Encoding", "chunked")
            .header("Upgrade", "websocket")
            .header("Expect", "100-continue")
            .header("Content-Length", "0")
            .header("svc-anything", "1")
            .header("X:Bad", "1")
            .header("X.Dot", "1")
            .header("X-Good_1", "kept")
            .delivered();

    assertThat(received.headerLines())
        .containsExactly(
            "Host: " + EngineFixture.HOST + ":" + fixture.destination.port(), "X-Good_1: kept");
  }

  @Test
  void nonAsciiHeaderBytesAreForwardedUnchanged() throws Exception {
    String utf8AsBytes =
        new String("größe".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);

    RawDestination.Received received = fixture.get().header("X-Text", utf8AsBytes).delivered();

    assertThat(received.headerLines()).contains("X-Text: größe");
  }

  @Test
  void responseHeadersAreForwardedExceptConnectionHeaders() {
    fixture.destination.respondWith(
        "HTTP/1.1 203 Fine\r\nSet-Cookie: a=1\r\nX-Hop: 1\r\nConnection: X-Hop\r\n"
            + "SVC-PROXY-DESTINATION-STATUS: 999\r\nset-cookie: b=2\r\nKeep-Alive: timeout=5\r\n"
            + "Content-Length: 2\r\nContent-Encoding: gzip\r\n\r\nno");

    EngineFixture.Response response = fixture.get().send();

    assertThat(response.status()).isEqualTo(203);
    assertThat(response.text()).isEqualTo("no");
    assertThat(response.lines())
        .containsExactly(
            "Set-Cookie: a=1",
            "set-cookie: b=2",
            "Content-Encoding: gzip",
            "SVC-PROXY-DESTINATION-STATUS: 203");
  }

  @Test
  void interimResponsesAreConsumed() {
    fixture.destination.respondWith(
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
            + "HTTP/1.1 103 Early Hints\r\nLink: </b>\r\n\r\n"
            + RawDestination.OK);

    EngineFixture.Response response = fixture.get().send();

    assertThat(response.status()).isEqualTo(200);
    assertThat(response.lines()).containsExactly("SVC-PROXY-DESTINATION-STATUS: 200");
  }

  @Test
  void protocolSwitchIsRejected() {
    fixture.destination.respondWith(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n");

    fixture.get().assertRefused(FailureCause.DESTINATION_BROKE_OFF);
  }

  @ParameterizedTest
  @ValueSource(ints = {204, 304})
  void responseWithoutBodyHasNoLengthUnlessAnnounced(int status) throws Exception {
    fixture.destination.respondWith("HTTP/1.1 " + status + " x\r\nETag: a\r\n\r\n");

    try (ProxyResponse response = fixture.get().open()) {
      assertThat(response.status()).isEqualTo(status);
      assertThat(response.bodyLength()).isEmpty();
      assertThat(response.body().readAllBytes()).isEmpty();
    }
  }

  @Test
  void responseToHeadHasAnnouncedLengthAndNoBody() throws Exception {
    fixture.destination.respondWith("HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n");

    try (ProxyResponse response = fixture.call().method("HEAD").open()) {
      assertThat(response.bodyLength()).hasValue(1234);
      assertThat(response.body().readAllBytes()).isEmpty();
    }
    assertThat(fixture.destination.take().requestLine()).startsWith("HEAD ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD"})
  void methodWithoutBodyRejectsBody(String method) {
    fixture
        .call()
        .method(method)
        .body("text/plain", "x")
        .assertRefused(FailureCause.VALIDATION_FAILED);
    fixture.call().method(method).stream(new ByteArrayInputStream(new byte[] {1}))
        .assertRefused(FailureCause.VALIDATION_FAILED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"CONNECT", "TRACE"})
  void connectAndTraceAreNotForwarded(String method) {
    fixture.call().method(method).assertRefused(FailureCause.VALIDATION_FAILED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "DELETE", "PROPFIND"})
  void otherMethodsAreForwardedWithAndWithoutBody(String method) throws Exception {
    RawDestination.Received with =
        fixture.call().method(method).body("application/octet-stream", "x").delivered();
    RawDestination.Received without = fixture.call().method(method).delivered();

    assertThat(with.requestLine()).startsWith(method + " ");
    assertThat(with.headerLines()).contains("Content-Length: 1");
    assertThat(with.bodyText()).isEqualTo("x");
    assertThat(without.requestLine()).startsWith(method + " ");
    assertThat(without.body()).isEmpty();
  }

  @Test
  void truncatedResponseEndsWithFailure() throws Exception {
    fixture.destination.respondAndClose("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart");

    try (ProxyResponse response = fixture.get().open()) {
      assertThatThrownBy(() -> response.body().readAllBytes()).isInstanceOf(IOException.class);
    }
  }

  @Test
  void opaqueBodiesOfAnySizeStreamWithoutBuffering() throws Exception {
    byte[] braces = "{".repeat(20_000_000).getBytes(StandardCharsets.UTF_8);

    RawDestination.Received received =
        fixture.call().body("application/octet-stream", braces).delivered();

    assertThat(received.headerLines()).contains("Content-Length: " + braces.length);
    assertThat(received.body()).hasSameSizeAs(braces);
  }

  @Test
  void bodyOfUnknownLengthIsSentChunked() throws Exception {
    RawDestination.Received received =
        fixture.call().header("Content-Type", "application/octet-stream").stream(
                new ByteArrayInputStream("abc".getBytes(StandardCharsets.UTF_8)))
            .delivered();

    assertThat(received.headerLines()).contains("Transfer-Encoding: chunked");
    assertThat(received.bodyText()).isEqualTo("abc");
  }

  @Test
  void laterAuditLogFailureDoesNotChangeResponse() {
    fixture.destination.respondWith(
        (request, out) -> {
          fixture.vault.breakAuditLog();
          return RawDestination.fixed(RawDestination.OK).respond(request, out);
        });

    assertThat(fixture.get().send().status()).isEqualTo(200);
  }

  @Test
  void outcomeOfInvocationIsRecorded() {
    fixture.destination.respondWith("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
    fixture.get().send();
    fixture.destination.respondAndClose("");
    fixture.get().assertRefused(FailureCause.DESTINATION_BROKE_OFF);

    fixture.engine.close();

    assertThat(fixture.vault.events())
        .contains(
            "recorded: Proxy invocation ended: status 404",
            "recorded: Proxy invocation ended: The destination ended the exchange");
  }
}
