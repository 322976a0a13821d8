package io.tokenvault.adapters.http;

import static io.tokenvault.adapters.http.RecordingProxy.headerValues;
import static io.tokenvault.adapters.http.RecordingProxy.readBody;
import static io.tokenvault.adapters.http.RecordingProxy.response;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.api.ProxyCall;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that requests reach the proxy exactly as received, or are rejected. */
class ProxyRequestsTest {

  private static final String HOST = "Host: vault.example";
  private static final String CONNECTION_CLOSE = "Connection: close";

  private final RecordingProxy proxy = new RecordingProxy();
  @AutoClose private final TestServer server = TestServer.start(proxy);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "/a/b",
        "//a//b/",
        "/a%2Fb%2e%25",
        "/{{id}}",
        "/{a}|b\\c^\"<>`",
        "/a;b=c/d;e",
        "/../x",
        "/%2e%2E/x",
        "/./x/.",
        "?",
        "/?",
        "?a=b&a=c",
        "?{{id}}=|%zz&%",
        "/x?a=b?c=d/../e",
        "?svc-proxy-key=k"
      })
  void pathAndQueryKeepTheirEncoding(String target) {
    assertThat(server.send("GET /proxy" + target + " HTTP/1.1", HOST, CONNECTION_CLOSE).status())
        .isEqualTo(200);
    ProxyCall call = proxy.takeCall();
    assertThat(call.path() + call.query().map(query -> "?" + query).orElse("")).isEqualTo(target);
  }

  @Test
  void utf8BytesInUrlAreDecoded() {
    String utf8 = new String("/é?ü".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);

    server.send("GET /proxy" + utf8 + " HTTP/1.1", HOST, CONNECTION_CLOSE);

    ProxyCall call = proxy.takeCall();
    assertThat(call.path()).isEqualTo("/é");
    assertThat(call.query()).hasValue("ü");
  }

  @Test
  void absoluteUrlIsReducedToItsPath() {
    server.send("GET http://vault.example/proxy/x HTTP/1.1", HOST, CONNECTION_CLOSE);

    assertThat(proxy.takeCall().path()).isEqualTo("/x");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/proxy;x", "/proxy;x/y", "/proxyx", "/PROXY", "/%70roxy"})
  void otherPathsDoNotReachTheProxy(String target) {
    server.send("GET " + target + " HTTP/1.1", HOST).isProblem(404, "not-found");
    assertThat(proxy.wasCalled()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"//proxy", "/./proxy", "/x/../proxy", "proxy", "*"})
  void ambiguousPathsDoNotReachTheProxy(String target) {
    server.send("GET " + target + " HTTP/1.1", HOST).isProblem(400, "malformed-request");
    assertThat(proxy.wasCalled()).isFalse();
  }

  @TestFactory
  Stream<DynamicTest> lossyOrAmbiguousRequestIsRejected() {
    Map<String, String[]> requests = new LinkedHashMap<>();
    requests.put("a fragment", request("GET /proxy/x#y HTTP/1.1"));
    requests.put("bytes that are not UTF-8", request("GET /proxy/caf\u00e9 HTTP/1.1"));
    requests.put("a query that is not UTF-8", request("GET /proxy?caf\u00e9 HTTP/1.1"));
    requests.put("another host", request("GET http://other.example/proxy HTTP/1.1"));
    requests.put("two lengths", request("POST /proxy HTTP/1.1", "Content-Length: 1", LENGTH_2));
    requests.put("a repeated length", request("POST /proxy HTTP/1.1", LENGTH_2, LENGTH_2));
    requests.put("a list of lengths", request("POST /proxy HTTP/1.1", "Content-Length: 2, 2"));
    requests.put("a negative length", request("POST /proxy HTTP/1.1", "Content-Length: -2"));
    requests.put("a signed length", request("POST /proxy HTTP/1.1", "Content-Length: +2"));
    requests.put("length and chunks", request("POST /proxy HTTP/1.1", LENGTH_2, CHUNKED));
    requests.put("chunks and length", request("POST /proxy HTTP/1.1", CHUNKED, LENGTH_2));
    requests.put("chunks twice", request("POST /proxy HTTP/1.1", CHUNKED + ", chunked"));
    requests.put("another coding", request("POST /proxy HTTP/1.1", "Transfer-Encoding: gzip"));
    requests.put("a coding in chunks", request("POST /proxy HTTP/1.1", GZIP_CHUNKED));
    requests.put("odd chunks", request("POST /proxy HTTP/1.1", "Transfer-Encoding: xchunked"));
    requests.put("chunks in HTTP/1.0", request("POST /proxy HTTP/1.0", CHUNKED));
    requests.put("a space before a colon", request("GET /proxy HTTP/1.1", "A : b"));
    requests.put("a folded line", request("GET /proxy HTTP/1.1", "A: b", " c"));
    requests.put("no colon", request("GET /proxy HTTP/1.1", "Nonsense"));
    requests.put("NUL in a value", request("GET /proxy HTTP/1.1", "A: b\0c"));
    requests.put("CR in a value", request("GET /proxy HTTP/1.1", "A: b\rc"));
    requests.put("a name that is not ASCII", request("GET /proxy HTTP/1.1", "caf\u00e9: b"));
    requests.put("a second host", request("GET /proxy HTTP/1.1", "Host: other.example"));
    return requests.entrySet().stream()
        .map(
            each ->
                dynamicTest(
                    each.getKey(),
                    () -> {
                      server.send(each.getValue()).isProxyError(400, "malformed-request");
                      assertThat(proxy.wasCalled()).isFalse();
                    }));
  }

  private static final String LENGTH_2 = "Content-Length: 2";
  private static final String CHUNKED = "Transfer-Encoding: chunked";
  private static final String GZIP_CHUNKED = "Transfer-Encoding: gzip, chunked";

  private static String[] request(String line, String... headers) {
    return Stream.concat(Stream.of(line, HOST), Stream.of(headers)).toArray(String[]::new);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "X-1"})
  void methodsOtherThanConnectAndTraceAreForwarded(String method) {
    try (RawConnection connection = server.connect()) {
      connection.send(method + " /proxy HTTP/1.1", HOST);
      assertThat(connection.readResponse(method).status()).isEqualTo(200);
    }
    assertThat(proxy.takeCall().method()).isEqualTo(method);
  }

  @Test
  void traceConnectAndLowercaseMethodsAreRejected() {
    for (String method : List.of("TRACE", "trace", "Connect", "get")) {
      assertThat(
              server
                  .send(method + " /proxy HTTP/1.1", HOST)
                  .isProxyError(405, "method-not-allowed")
                  .header("Allow"))
          .isEqualTo("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
    }
    server.send("CONNECT /proxy HTTP/1.1", HOST).isProxyError(400, "malformed-request");
    server.send("CONNECT host.example:443 HTTP/1.1", HOST).isProblem(400, "malformed-request");
    assertThat(proxy.wasCalled()).isFalse();
  }

  @Test
  void headersKeepTheirOrderAndRepetitions() {
    server.send(
        "GET /proxy HTTP/1.1", HOST, "B: 2", "A: 1", "b:  3  ", "Empty:", "Cookie: x", "B: 2");

    assertThat(
            proxy.takeCall().headers().stream()
                .map(each -> each.name() + "=" + each.value())
                .toList())
        .containsExactly("Host=vault.example", "B=2", "A=1", "b=3", "Empty=", "Cookie=x", "B=2");
  }

  @Test
  void headerValuesKeepTheirCase() {
    List<String> lines =
        List.of(
            "Content-Type: application/json; charset=UTF-8",
            "Accept-Encoding: GZIP, deflate",
            "Cache-Control: NO-CACHE",
            "Content-Encoding: GZIP");
    server.send(
        "GET /proxy HTTP/1.1", HOST, lines.get(0), lines.get(1), lines.get(2), lines.get(3));

    assertThat(proxy.takeCall().headers().stream().map(each -> each.name() + ": " + each.value()))
        .containsAll(lines);
  }

  @Test
  void everyHeaderValueByteIsReceived() {
    StringBuilder value = new StringBuilder("v");
    for (char each = 0x80; each <= 0xff; each++) {
      value.append(each);
    }

    server.send("GET /proxy HTTP/1.1", HOST, "Bytes: " + value);

    assertThat(headerValues(proxy.takeCall(), "Bytes")).containsExactly(value.toString());
  }

  @Test
  void upgradeIsHandledLikeAnyOtherRequest() {
    RawResponse response =
        server.send(
            "GET /proxy HTTP/1.1",
            HOST,
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Version: 13");

    assertThat(response.status()).isEqualTo(200);
    assertThat(headerValues(proxy.takeCall(), "Upgrade")).containsExactly("websocket");
  }

  @Test
  void bodyIsReceivedWithLengthOrInChunks() {
    proxy.respondWith(call -> response(200, readBody(call)));
    try (RawConnection connection = server.connect()) {
      connection.send("POST /proxy HTTP/1.1", HOST, "Content-Length: 4").write("\0\u00ff{}");
      assertThat(connection.readResponse().body()).isEqualTo("\0\u00ff{}");
      assertThat(proxy.takeCall().bodyLength()).isEqualTo(OptionalLong.of(4));
      connection.send("POST /proxy HTTP/1.1", HOST, CHUNKED).write("3;x=y\r\nabc\r\n1\r\nd\r\n");
      connection.write("0\r\nTrailer: t\r\n\r\n");
      assertThat(connection.readResponse().body()).isEqualTo("abcd");
      assertThat(proxy.takeCall().bodyLength()).isEmpty();
      connection.send("POST /proxy HTTP/1.1", HOST, "Content-Length: 0");
      assertThat(connection.readResponse().body()).isEmpty();
      assertThat(proxy.takeCall().bodyLength()).isEqualTo(OptionalLong.of(0));
      connection.send("POST /proxy HTTP/1.1", HOST);
      assertThat(connection.readResponse().body()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 10\r\n\r\nabc",
        CHUNKED + "\r\n\r\n3\r\nabc\r\n",
        CHUNKED + "\r\n\r\n9\r\nabc",
        CHUNKED + "\r\n\r\n3\r\nabc\r\nxyz\r\n",
        CHUNKED + "\r\n\r\n3\r\nabcd\r\n0\r\n\r\n",
        CHUNKED + "\r\n\r\nfffffffffff\r\nabc"
      })
  void incompleteBodyCannotBeReadToItsEnd(String headerAndBody) {
    proxy.respondWith(
        call -> {
          assertThatThrownBy(() -> call.body().readAllBytes()).isInstanceOf(IOException.class);
          throw new RefusedException(FailureCause.STORE_UNAVAILABLE, "noted");
        });
    try (RawConnection connection = server.connect()) {
      connection.write("POST /proxy HTTP/1.1\r\n" + HOST + "\r\n" + headerAndBody).shutdownOutput();
      assertThat(connection.readToEnd()).contains("\"noted\"").containsOnlyOnce("HTTP/1.1");
    }
  }

  @Test
  void continueIsSentOnlyWhenBodyIsRead() throws IOException {
    proxy.respondWith(call -> response(200, readBody(call)));
    try (RawConnection connection = server.connect()) {
      connection.send("POST /proxy HTTP/1.1", HOST, "Content-Length: 2", "Expect: 100-continue");
      assertThat(connection.readHead()).startsWith("HTTP/1.1 100");
      connection.write("ab");
      assertThat(connection.readResponse().body()).isEqualTo("ab");
    }
  }

  @Test
  void continueIsNotSentForRejectedRequest() {
    proxy.failWith(new RefusedException(FailureCause.MISSING_OR_INVALID_KEY, "no"));
    try (RawConnection connection = server.connect()) {
      connection.send("POST /proxy HTTP/1.1", HOST, "Content-Length: 2", "Expect: 100-continue");
      RawResponse response = connection.readResponse().isProxyError(401, "unauthenticated");
      assertThat(response.header("Connection")).isEqualTo("close");
      assertThat(connection.readToEnd()).isEmpty();
    }
  }

  @Test
  void unknownExpectationIsRejected() {
    server
        .send("POST /proxy HTTP/1.1", HOST, "Expect: 200-maybe", "Content-Length: 0")
        .isProxyError(417, "expectation-failed");
  }

  @Test
  void pipelinedRequestsAreServedInOrderAfterRejections() {
    try (RawConnection connection = server.connect()) {
      connection.write(
          "POST /applications HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"
              + "POST /proxy/2 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"
              + "TRACE /proxy HTTP/1.1\r\nHost: x\r\n\r\n"
              + "GET /proxy/4 HTTP/1.1\r\nHost: x\r\n\r\n");
      connection.readResponse().isProblem(401, "unauthenticated");
      assertThat(connection.readResponse().body()).isEqualTo("ok");
      connection.readResponse().isProxyError(405, "method-not-allowed");
      assertThat(connection.readResponse().body()).isEqualTo("ok");
      assertThat(proxy.takeCall().path()).isEqualTo("/2");
      assertThat(proxy.takeCall().path()).isEqualTo("/4");
    }
  }

  @Test
  void restOfRejectedBodyIsNotParsedAsRequest() {
    proxy.failWith(new RefusedException(FailureCause.MISSING_OR_INVALID_KEY, "no"));
    try (RawConnection connection = server.connect()) {
      connection.send("POST /proxy HTTP/1.1", HOST, "Content-Length: 1000000");
      connection.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
      connection.readResponse().isProxyError(401, "unauthenticated");
      assertThat(connection.readToEnd()).isEmpty();
    }
  }

  /** Sends each chunk only after the proxy has read the previous one. */
  @Test
  @Timeout(60)
  void sixtyFourMebibyteBodyIsStreamedUnbuffered() throws Exception {
    int chunk = 1 << 16;
    int chunks = 1 << 10;
    Semaphore bytesRead = new Semaphore(0);
    proxy.respondWith(
        call -> {
          readAll(call.body(), bytesRead);
          return response(200, "all of it");
        });
    try (RawConnection connection = server.connect()) {
      connection.send("POST /proxy HTTP/1.1", HOST, "Content-Length: " + (long) chunk * chunks);
      byte[] bytes = new byte[chunk];
      for (int i = 0; i < chunks; i++) {
        connection.write(bytes);
        bytesRead.acquire(chunk);
      }
      assertThat(connection.readHead()).startsWith("HTTP/1.1 200");
    }
  }

  private static void readAll(InputStream body, Semaphore bytesRead) {
    byte[] buffer = new byte[8192];
    try {
      for (int count = body.read(buffer); count >= 0; count = body.read(buffer)) {
        bytesRead.release(count);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  @Test
  void oversizedUrlsAndHeadersAreProxyErrorsOnProxyPaths() {
    String large = "x".repeat(TestServer.MAX_HEAD);

    server.send("GET /proxy?" + large + " HTTP/1.1", HOST).isProxyError(414, "uri-too-long");
    server.send("GET /proxy HTTP/1.1", HOST, "A: " + large).isProxyError(431, "headers-too-large");
    server.send("GET /healthz?" + large + " HTTP/1.1", HOST).isProblem(414, "uri-too-long");
    server.send("GET /healthz HTTP/1.1", HOST, "A: " + large).isProblem(431, "headers-too-large");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/%zz", "/%", "/%4", "/a%00b", "/a b", "/a\tb", "?x y", "/\u0001"})
  void malformedUrlsAreProxyErrorsOnProxyPaths(String target) {
    server.send("GET /proxy" + target + " HTTP/1.1", HOST).isProxyError(400, "malformed-request");
  }
}
