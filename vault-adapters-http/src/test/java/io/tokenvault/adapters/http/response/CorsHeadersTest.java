package io.tokenvault.adapters.http.response;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.http.RawResponse;
import io.tokenvault.adapters.http.RecordingProxy;
import io.tokenvault.adapters.http.TestServer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CorsHeadersTest {

  private static final String ORIGIN = "https://shop.example";
  private static final String PREFLIGHT = "Access-Control-Request-Method: POST";

  @AutoClose
  private static final TestServer SERVER =
      TestServer.start(
          new RecordingProxy(), TestServer.allowedOrigins(ORIGIN, "http://localhost:3000"));

  private final RecordingProxy proxy = SERVER.useProxy(new RecordingProxy());

  private RawResponse send(String requestLine, String... headers) {
    return SERVER.send(
        Stream.concat(Stream.of(requestLine + " HTTP/1.1", "Host: x"), Stream.of(headers))
            .toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/tokens",
        "/tokens/",
        "/tokens/x",
        "/tokenize",
        "/detokenize",
        "/proxy",
        "/proxy/a?b"
      })
  void preflightNeedsNoKeyAndIsNotForwarded(String path) {
    RawResponse response =
        send(
            "OPTIONS " + path,
            "Origin: " + ORIGIN,
            PREFLIGHT,
            "Access-Control-Request-Headers: svc-api-key,content-type");
    assertThat(response.isFromVault().status()).isEqualTo(204);
    assertThat(response.header("Access-Control-Allow-Origin")).isEqualTo(ORIGIN);
    assertThat(response.header("Access-Control-Allow-Methods")).contains("POST", "PATCH");
    assertThat(response.header("Access-Control-Allow-Headers"))
        .isEqualTo("svc-api-key,content-type");
    assertThat(response.header("Vary")).isEqualTo("Origin");
    assertThat(proxy.wasCalled()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://shop.example.evil",
        "https://SHOP.example",
        "http://shop.example",
        "https://shop.example:443",
        "https://shop.example/",
        "null",
        "*",
        "http://localhost:3001"
      })
  void unlistedOriginIsNotAllowed(String origin) {
    RawResponse response = send("OPTIONS /proxy", "Origin: " + origin, PREFLIGHT);
    assertThat(response.status()).isEqualTo(204);
    assertThat(response.toString()).doesNotContain("Access-Control-");
    assertThat(proxy.wasCalled()).isFalse();
  }

  @Test
  void managementEndpointsSendNoCorsHeaders() {
    for (String path : List.of("/applications", "/proxies", "/logs", "/tokensx", "/proxyx")) {
      assertThat(send("OPTIONS " + path, "Origin: " + ORIGIN, PREFLIGHT).toString())
          .doesNotContain("HTTP/1.1 2", "Access-Control-");
    }
  }

  @Test
  void nonPreflightOptionsAreForwarded() {
    assertThat(send("OPTIONS /proxy", "Origin: " + ORIGIN).status()).isEqualTo(200);
    assertThat(send("OPTIONS /proxy", PREFLIGHT).status()).isEqualTo(200);
    assertThat(proxy.takeCall().method()).isEqualTo("OPTIONS");
    assertThat(proxy.takeCall().method()).isEqualTo("OPTIONS");
  }

  @Test
  void errorResponsesAllowListedOrigin() {
    for (String path : List.of("GET /tokens", "TRACE /proxy")) {
      RawResponse response = send(path, "Origin: " + ORIGIN);
      assertThat(response.header("Access-Control-Allow-Origin")).isEqualTo(ORIGIN);
      assertThat(response.header("Access-Control-Expose-Headers"))
          .isEqualTo(
              "SVC-TRACE-ID, SVC-PROXY-DESTINATION-STATUS, SVC-IDEMPOTENCY-REPEAT, ETag,"
                  + " RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset");
    }
  }

  @Test
  void destinationCorsHeadersAreReplacedForListedOrigin() {
    proxy.respondWith(
        call ->
            RecordingProxy.response(
                200,
                "x",
                RecordingProxy.header("Access-Control-Allow-Origin", "*"),
                RecordingProxy.header("access-control-allow-credentials", "true")));

    RawResponse page = send("GET /proxy", "Origin: " + ORIGIN);
    RawResponse other = send("GET /proxy", "Origin: https://other.example");

    assertThat(page.values("Access-Control-Allow-Origin")).containsExactly(ORIGIN);
    assertThat(page.values("Access-Control-Allow-Credentials")).isEmpty();
    assertThat(other.values("Access-Control-Allow-Origin")).containsExactly("*");
  }

  @Test
  void serverWithoutAllowedOriginsSendsNoCorsHeaders() {
    RawResponse response =
        TestServer.shared()
            .send("OPTIONS /proxy HTTP/1.1", "Host: x", "Origin: " + ORIGIN, PREFLIGHT);
    assertThat(response.status()).isEqualTo(204);
    assertThat(response.toString()).doesNotContain("Access-Control-", "Vary");
  }
}
