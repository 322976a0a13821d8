package io.tokenvault.adapters.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the allowed methods of every path and the problems for unsupported requests. */
class EndpointsTest {

  @AutoClose private static final TestServer SERVER = TestServer.start(new RecordingProxy());
  private static final String HOST = "Host: vault.example";
  private static final String KEY = "SVC-API-KEY: " + SERVER.managementKey();
  private static final List<String> METHODS =
      List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "FOO", "get");

  private static final String ENDPOINTS =
      """
      /permissions GET HEAD
      /applications GET HEAD POST
      /applications/key DELETE GET HEAD PATCH PUT
      /applications/x DELETE GET HEAD PATCH PUT
      /applications/x/regenerate POST
      /tokens GET HEAD POST
      /tokens/search DELETE GET HEAD PATCH POST
      /tokens/x DELETE GET HEAD PATCH
      /tokenize POST
      /detokenize POST
      /proxies GET HEAD POST
      /proxies/x DELETE GET HEAD PATCH PUT
      /proxies/x/test POST
      /logs GET HEAD
      /logs/entity-types GET HEAD
      /tenants/self GET HEAD
      /healthz GET HEAD
      /readyz GET HEAD
      """;

  @TestFactory
  Stream<DynamicTest> everyPathListsItsAllowedMethods() {
    return ENDPOINTS
        .lines()
        .flatMap(row -> Stream.of(row, row.replaceFirst(" ", "/ ")))
        .map(row -> dynamicTest(row, () -> assertAllowedMethods(row.split(" "))));
  }

  private static void assertAllowedMethods(String... row) {
    List<String> allowed = List.of(row).subList(1, row.length);
    for (String method : METHODS) {
      try (RawConnection connection = SERVER.connect()) {
        RawResponse response =
            connection
                .send(method + " " + row[0] + " HTTP/1.1", HOST)
                .readResponse(method)
                .isFromVault();
        if (allowed.contains(method)) {
          assertThat(response.status()).as(method).isNotIn(404, 405, 500);
        } else {
          assertThat(response.status()).as(method).isEqualTo(405);
          assertThat(response.header("Content-Type")).isEqualTo("application/problem+json");
          assertThat(response.header("Allow").split(", "))
              .containsExactlyInAnyOrderElementsOf(allowed);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/permissions", "/applications", "/proxies", "/logs", "/healthz", "/tokens"})
  void headReturnsHeadersOfGet(String path) {
    try (RawConnection connection = SERVER.connect()) {
      RawResponse get = sendWithKey(connection, "GET", path);
      RawResponse head = sendWithKey(connection, "HEAD", path);
      assertThat(head.status()).isEqualTo(get.status());
      assertThat(head.header("Content-Type")).isEqualTo(get.header("Content-Type"));
      assertThat(head.values("Content-Length")).hasSize(1);
      assertThat(sendWithKey(connection, "GET", path).status()).isEqualTo(get.status());
    }
  }

  private static RawResponse sendWithKey(RawConnection connection, String method, String path) {
    return connection.send(method + " " + path + " HTTP/1.1", HOST, KEY).readResponse(method);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/tokens/{a}",
        "/tokens/a|b",
        "/tokens/a\\b",
        "/tokens/a b",
        "/tokens/%zz",
        "/tokens/%",
        "/tokens/%ff",
        "/tokens/%00",
        "/tokens/caf\u00e9",
        "/tokens/a%2fb",
        "/tokens/a%25b",
        "/tokens//",
        "//tokens",
        "/tokens/.",
        "/tokens/..",
        "/tokens/a/../b",
        "/tokens/%2e%2e",
        "/permissions#x",
        "/healthz?a b",
        "*",
        "tokens",
        "http://other.example/healthz",
        "ftp:x"
      })
  void ambiguousPathIsRejected(String target) {
    SERVER.send("GET " + target + " HTTP/1.1", HOST).isProblem(400, "malformed-request");
  }

  @ParameterizedTest
  @CsvSource({
    "GET /healthz, 505, http-version-not-supported",
    "GET /healthz HTTP/0.9, 505, http-version-not-supported",
    "GET /healthz HTTP/9.9, 505, http-version-not-supported",
    "GET /healthz HTTP/1.x, 505, http-version-not-supported",
    "GET /healthz FTP/1.1, 505, http-version-not-supported",
    "GET /healthz HTTP/2.0, 426, upgrade-required",
    "PRI * HTTP/2.0, 426, upgrade-required",
    "hello, 400, malformed-request",
    "'\u0016\u0003\u0001\u0002', 400, malformed-request",
    "G@T /healthz HTTP/1.1, 400, malformed-request",
    "GET /healthz HTTP/1.1, 400, malformed-request"
  })
  void unsupportedOrMalformedRequestHeadReturnsProblem(String line, int status, String name) {
    SERVER.send(line).isProblem(status, name);
  }

  @Test
  void methodLongerThanHeadLimitIsRejected() {
    SERVER.send("X".repeat(TestServer.MAX_HEAD + 1) + " /").isProblem(431, "headers-too-large");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /healthz HTTP/9.9",
        "GET /tokens/% HTTP/1.1",
        "G@T /healthz HTTP/1.1",
        "GET /healthz HTTP/1.1"
      })
  void endOfConnectionAfterMalformedHeadIsAnnounced(String line) {
    try (RawConnection connection = SERVER.connect()) {
      assertThat(connection.send(line).readResponse().header("Connection")).isEqualTo("close");
      assertThat(connection.readToEnd()).isEmpty();
    }
  }

  @Test
  void methodOverrideHeaderIsIgnored() {
    String header = "X-HTTP-Method-Override: ";
    assertThat(SERVER.send("GET /healthz HTTP/1.1", HOST, header + "DELETE").status())
        .isEqualTo(200);
    SERVER
        .send("POST /healthz HTTP/1.1", HOST, header + "GET")
        .isProblem(405, "method-not-allowed");
  }

  @Test
  void allowHeaderDoesNotDependOnAcceptHeader() {
    for (String accept : List.of("text/html", "*/*")) {
      RawResponse response = SERVER.send("POST /permissions HTTP/1.1", HOST, "Accept: " + accept);
      assertThat(response.header("Allow")).isEqualTo("GET, HEAD");
    }
  }

  @Test
  void http10RequestIsServedAndConnectionCloses() {
    try (RawConnection connection = SERVER.connect()) {
      assertThat(connection.send("GET /healthz HTTP/1.0").readResponse().isFromVault().status())
          .isEqualTo(200);
      assertThat(connection.readToEnd()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0x2\r\n{}", "-2\r\n{}", "ffffffffffffffffff\r\n{}"})
  void malformedChunkIsRejected(String chunk) {
    try (RawConnection connection = SERVER.connect()) {
      connection.send("POST /applications HTTP/1.1", HOST, KEY, "Transfer-Encoding: chunked");
      connection.write(chunk).readResponse().isProblem(400, "malformed-request");
    }
  }

  @Test
  void incompleteBodyIsMalformed() {
    try (RawConnection connection = SERVER.connect()) {
      connection.send("POST /applications HTTP/1.1", HOST, KEY, "Content-Length: 10");
      connection.write("{}").shutdownOutput();
      connection.readResponse().isProblem(400, "malformed-request");
    }
  }
}
