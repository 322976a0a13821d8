package io.tokenvault.adapters.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that malformed header values never cause a server error. */
final class HostileHeadersTest {

  @AutoClose private static final TestServer SERVER = TestServer.start(new RecordingProxy());
  private static final String TOKEN_KEY = SERVER.tokenKey();
  private static final String BODY = "{}";

  private static final List<String> ENDPOINTS =
      """
      GET /permissions
      GET /applications
      POST /applications
      GET /applications/key
      PUT /applications/00000000-0000-0000-0000-000000000000
      DELETE /applications/x
      POST /applications/00000000-0000-0000-0000-000000000000/regenerate
      POST /access/explain
      GET /tokens
      POST /tokens
      POST /tokens/search
      HEAD /tokens/x
      PATCH /tokens/00000000-0000-0000-0000-000000000000
      POST /tokenize
      POST /detokenize
      POST /proxies
      PUT /proxies/00000000-0000-0000-0000-000000000000
      POST /proxies/00000000-0000-0000-0000-000000000000/test
      GET /logs
      GET /healthz
      GET /readyz
      POST /nothing
      OPTIONS /tokens
      POST /proxy
      OPTIONS /proxy
      """
          .lines()
          .toList();

  /** One endpoint of each kind: without a body, with a body, with preconditions, and the proxy. */
  private static final Set<String> SAMPLES =
      Set.of(
          "GET /tokens",
          "POST /applications",
          "PATCH /tokens/00000000-0000-0000-0000-000000000000",
          "POST /proxy");

  private static final List<String> HEADER_NAMES =
      List.of(
          """
          Accept Accept-Charset Accept-Encoding Accept-Language Access-Control-Request-Headers
          Access-Control-Request-Method Authorization Connection Content-Disposition
          Content-Encoding Content-Language Content-Range Content-Type Cookie Date Expect
          Forwarded HTTP2-Settings If-Match If-Modified-Since If-None-Match If-Range
          If-Unmodified-Since Keep-Alive Origin Range Referer SVC-IDEMPOTENCY-KEY SVC-PROXY-KEY
          SVC-PROXY-URL SVC-TRACE-ID TE Trailer Upgrade User-Agent X-Forwarded-For
          X-Forwarded-Host X-Forwarded-Proto X-HTTP-Method-Override traceparent tracestate\
          """
              .split("\\s+"));

  private static final List<String> HEADER_VALUES =
      List.of(
          "",
          "?",
          "%",
          ";",
          "\"",
          "*/*;q=x, ;;=, \"",
          "application/json; charset=nonsense",
          "multipart/form-data",
          "application/x-www-form-urlencoded; charset=?",
          "-1",
          "99999999999999999999",
          "\u00ff\u00fe",
          "x".repeat(8_000));

  private static final List<String> CONTENT_LENGTHS =
      List.of("", "-1", "x", "+2", "2, 3", "9".repeat(30));

  private static final List<String> CHARSETS =
      List.of(
          "nonsense",
          "?",
          "",
          "\"\"",
          "\"",
          "\"utf-8",
          "'utf-8'",
          "utf-8 x",
          "utf-8\"",
          "\u00e9",
          "x".repeat(1_000),
          "UTF-16",
          "utf-16le",
          "utf-32",
          "ISO-8859-1",
          "windows-1252",
          "IBM037",
          "utf-8; charset=nonsense",
          "nonsense; charset=utf-8");

  private static RawResponse send(String endpoint, String... headers) {
    List<String> lines = new ArrayList<>();
    lines.add(endpoint + " HTTP/1.1");
    lines.add("Host: vault.example");
    lines.add(
        "SVC-API-KEY: "
            + (endpoint.contains(" /token") || endpoint.endsWith("tokenize")
                ? TOKEN_KEY
                : SERVER.managementKey()));
    lines.addAll(List.of(headers));
    try (RawConnection connection = SERVER.connect()) {
      return connection
          .send(lines.toArray(String[]::new))
          .write(BODY)
          .readResponse(endpoint.split(" ")[0]);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /%zz HTTP/1.1|Host: a|SVC-TRACE-ID: q-1",
        "GET /tokens HTTP/1.1|svc-trace-id:q-1",
        "GET /tokens HTTP/1.1|Host: a|no colon|SVC-TRACE-ID: q-1",
        "POST /tokens HTTP/1.1|Host: a|Content-Length: x|SVC-TRACE-ID: q-1",
        "GET /tokens HTTP/9.9|Host: a|SVC-TRACE-ID: q-1"
      })
  void traceIdOfUnparsableRequestIsReturned(String head) {
    try (RawConnection connection = SERVER.connect()) {
      RawResponse response = connection.send(head.split("\\|")).readResponse();
      assertThat(response.status()).isIn(400, 505);
      assertThat(response.header("SVC-TRACE-ID")).isEqualTo("q-1");
    }
  }

  private static Stream<String> otherEndpoints() {
    return ENDPOINTS.stream().filter(endpoint -> !SAMPLES.contains(endpoint));
  }

  private static Stream<String> endpointsWithBody() {
    return ENDPOINTS.stream()
        .filter(endpoint -> endpoint.matches("(POST|PUT|PATCH) /(?!nothing|proxy$).*"))
        .filter(endpoint -> !endpoint.endsWith("/regenerate"));
  }

  @ParameterizedTest
  @FieldSource("SAMPLES")
  void headersNeverCauseServerError(String endpoint) {
    assertNoServerErrors(endpoint);
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("otherEndpoints")
  void headersNeverCauseServerErrorOnAnyEndpoint(String endpoint) {
    assertNoServerErrors(endpoint);
  }

  private static void assertNoServerErrors(String endpoint) {
    for (String name : HEADER_NAMES) {
      for (String value : HEADER_VALUES) {
        assertNoServerError(endpoint, name + ": " + value, "Content-Length: " + BODY.length());
      }
    }
    for (String length : CONTENT_LENGTHS) {
      assertNoServerError(endpoint, "Content-Length: " + length);
    }
    assertNoServerError(endpoint, "Content-Length: 2", "Content-Length: 3");
    assertNoServerError(endpoint, "Transfer-Encoding: nonsense");
    assertNoServerError(endpoint, "Transfer-Encoding: chunked, chunked");
  }

  private static void assertNoServerError(String endpoint, String... headers) {
    assertThat(send(endpoint, headers).status())
        .as("%s with %s", endpoint, List.of(headers))
        .isNotIn(500, 0);
  }

  @ParameterizedTest
  @MethodSource("endpointsWithBody")
  void bodyInOtherCharsetIsRejected(String endpoint) {
    boolean usesAllCharsets = endpoint.equals("POST /tokens") || SAMPLES.contains(endpoint);
    for (String charset : usesAllCharsets ? CHARSETS : CHARSETS.subList(0, 1)) {
      for (String type : List.of("application/json;charset=", "application/json; x=y; CharSet=")) {
        RawResponse response =
            send(endpoint, "Content-Type: " + type + charset, "Content-Length: " + BODY.length());
        assertThat(
                response.isProblem(415, "unsupported-media-type").json().properties().get("detail"))
            .as(charset)
            .isIn(
                JsonValue.of("Send the body as application/json, in UTF-8."),
                JsonValue.of("Send the body as application/merge-patch+json, in UTF-8."));
      }
    }
  }

  @Test
  void compressedJsonBodyIsRejected() {
    String length = "Content-Length: " + BODY.length();
    send("POST /tokens", "Content-Encoding: gzip", length).isProblem(415, "unsupported-media-type");
    send("POST /tokens", "Content-Encoding: Identity", length).isProblem(400, "validation-failed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json;charset=utf-8",
        "application/json; charset=UTF-8",
        "application/json; charset=\"utf-8\"",
        "application/json; charset=utf8",
        "application/json ;charset=us-ascii ; x=\"charset=nonsense\"",
        "application/json; profile=\"a;charset=nonsense\"",
        "application/json;",
        "application/json; charset=UTF-8; charset=utf-8",
        "application/vnd.x+json; charset=utf-8"
      })
  void jsonCharsetIsAccepted(String type) {
    send("POST /applications", "Content-Type: " + type, "Content-Length: " + BODY.length())
        .isProblem(400, "validation-failed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/json-patch+json", "application/x+json", "text/plain"})
  void patchWithOtherContentTypeIsRejected(String type) {
    String patch = "PATCH /tokens/00000000-0000-0000-0000-000000000000";
    send(patch, "Content-Type: " + type, "Content-Length: " + BODY.length())
        .isProblem(415, "unsupported-media-type");
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET /permissions", "GET /tokens", "GET /healthz"})
  void charsetIsIgnoredOnEndpointsWithoutBody(String endpoint) {
    assertThat(
            send(
                    endpoint,
                    "Content-Type: application/json; charset=nonsense",
                    "Content-Length: " + BODY.length())
                .status())
        .isIn(200, 403);
  }
}
