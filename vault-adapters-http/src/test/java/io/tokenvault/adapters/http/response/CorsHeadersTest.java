package io.tokenvault.adapters.http.response;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.http.RawReply;
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
  private static final String ASKS = "Access-Control-Request-Method: POST";

  @AutoClose
  private static final TestServer SERVER =
      TestServer.start(new RecordingProxy(), TestServer.allowing(ORIGIN, "http://localhost:3000"));

  private final RecordingProxy proxy = SERVER.use(new RecordingProxy());

  private RawReply send(String requestLine, String... headers) {
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

    RawReply reply =
        send(
            "OPTIONS " + path,
            "Origin: " + ORIGIN,
            ASKS,
            "Access-Control-Request-Headers: svc-api-key,content-type");
    assertThat(reply.isOwn().status()).isEqualTo(204);
    assertThat(reply.header("Access-Control-Allow-Origin")).isEqualTo(ORIGIN);
    assertThat(reply.header("Access-Control-Allow-Methods")).contains("POST", "PATCH");
    assertThat(reply.header("Access-Control-Allow-Headers")).isEqualTo("svc-api-key,content-type");
    assertThat(reply.header("Vary")).isEqualTo("Origin");
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
    RawReply reply = send("OPTIONS /proxy", "Origin: " + origin, ASKS);
    assertThat(reply.status()).isEqualTo(204);
    assertThat(reply.toString()).doesNotContain("Access-Control-");
    assertThat(proxy.wasCalled()).isFalse();
  }

  @Test
  void managementIsNotForPages() {
    for (String path : List.of("/applications", "/proxies", "/logs", "/tokensx", "/proxyx")) {
      assertThat(send("OPTIONS " + path, "Origin: " + ORIGIN, ASKS).toString())
          .doesNotContain("HTTP/1.1 2", "Access-Control-");
    }
  }

  @Test
  void optionsThatAreNoPreflightAreForwarded() {
    assertThat(send("OPTIONS /proxy", "Origin: " + ORIGIN).status()).isEqualTo(200);
    assertThat(send("OPTIONS /proxy", ASKS).status()).isEqualTo(200);
    assertThat(proxy.take().method()).isEqualTo("OPTIONS");
    assertThat(proxy.take().method()).isEqualTo("OPTIONS");
  }

  @Test
  void refusalsCanBeReadByThePageToo() {
    for (String path : List.of("GET /tokens", "TRACE /proxy")) {
      RawReply reply = send(path, "Origin: " + ORIGIN);
      assertThat(reply.header("Access-Control-Allow-Origin")).isEqualTo(ORIGIN);
      assertThat(reply.header("Access-Control-Expose-Headers"))
          .isEqualTo(
              "SVC-TRACE-ID, SVC-PROXY-DESTINATION-STATUS, SVC-IDEMPOTENCY-REPEAT, ETag,"
                  + " RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset");
    }
  }

  @Test
  void destinationHeadersDoNotDecideForListedOrigin() {
    proxy.answers(
        call ->
            RecordingProxy.text(
                200,
                "x",
                RecordingProxy.header("Access-Control-Allow-Origin", "*"),
                RecordingProxy.header("access-control-allow-credentials", "true")));

    RawReply page = send("GET /proxy", "Origin: " + ORIGIN);
    RawReply other = send("GET /proxy", "Origin: https://other.example");

    assertThat(page.values("Access-Control-Allow-Origin")).containsExactly(ORIGIN);
    assertThat(page.values("Access-Control-Allow-Credentials")).isEmpty();
    assertThat(other.values("Access-Control-Allow-Origin")).containsExactly("*");
  }

  @Test
  void unconfiguredServerSendsNoOriginHeaders() {
    RawReply reply =
        TestServer.shared().send("OPTIONS /proxy HTTP/1.1", "Host: x", "Origin: " + ORIGIN, ASKS);
    assertThat(reply.status()).isEqualTo(204);
    assertThat(reply.toString()).doesNotContain("Access-Control-", "Vary");
  }
}
