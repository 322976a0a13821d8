package io.tokenvault.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.domain.failure.FailureCause;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.Protocol;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests to destinations that support HTTP/2. */
class Http2Test {

  private static final String OTHER_HOST = "private.example.test";

  @AutoClose private final EngineFixture fixture = EngineFixture.withHttp2();
  @AutoClose private final MockWebServer server = new MockWebServer();

  @BeforeEach
  void start() throws Exception {
    fixture.vault.token("tok-1", "\"4111\"");
    server.useHttps(fixture.serverCertificates(EngineFixture.HOST).sslSocketFactory());
    server.setProtocols(List.of(Protocol.HTTP_2, Protocol.HTTP_1_1));
    server.start();
  }

  private EngineFixture.Call call() {
    return fixture.call().to(EngineFixture.urlAt(server.getPort()) + "/api");
  }

  @Test
  void requestAndResponseAreForwarded() throws Exception {
    server.enqueue(new MockResponse.Builder().code(201).addHeader("x-a", "1").body("made").build());

    EngineFixture.Response response =
        call()
            .path("/a'b")
            .query("it's=1")
            .header("X-B", "1")
            .header("X-B", "2")
            .body("application/json", "{\"a\":\"{{tok-1}}\"}")
            .send();
    RecordedRequest request = server.takeRequest(5, TimeUnit.SECONDS);

    assertThat(request.getVersion()).isEqualTo("HTTP/2");
    assertThat(request.getTarget()).isEqualTo("/api/a'b?it's=1");
    assertThat(request.getHeaders().values("x-b")).containsExactly("1", "2");
    assertThat(request.getHeaders().names())
        .containsExactlyInAnyOrder(
            ":scheme", ":authority", "content-length", "content-type", "x-b");
    assertThat(request.getBody().utf8()).isEqualTo("{\"a\":\"4111\"}");
    assertThat(response.status()).isEqualTo(201);
    assertThat(response.lines()).contains("x-a: 1", "SVC-PROXY-DESTINATION-STATUS: 201");
    assertThat(response.text()).isEqualTo("made");
  }

  @Test
  void http2IsNotUsedByDefault() throws Exception {
    assertThat(ProxyEngine.Settings.defaults().http2()).isFalse();
    server.enqueue(new MockResponse.Builder().build());

    try (EngineFixture defaultFixture = new EngineFixture()) {
      defaultFixture.get().to(EngineFixture.urlAt(server.getPort())).send();
    }

    assertThat(server.takeRequest(5, TimeUnit.SECONDS).getVersion()).isEqualTo("HTTP/1.1");
  }

  @Test
  void misdirectedRequestIsNotRetried() {
    server.enqueue(new MockResponse.Builder().code(421).build());

    assertThat(call().method("GET").send().status()).isEqualTo(421);
    assertThat(server.getRequestCount()).isEqualTo(1);
  }

  /** Both hosts have the same address and certificate, so that HTTP/2 would permit sharing. */
  @Test
  void connectionIsNotSharedWithOtherHostsOfItsCertificate() throws Exception {
    MockWebServer shared = new MockWebServer();
    shared.useHttps(
        EngineFixture.serverCertificates(
                EngineFixture.certificate(EngineFixture.AUTHORITY, EngineFixture.HOST, OTHER_HOST),
                EngineFixture.AUTHORITY)
            .sslSocketFactory());
    shared.setProtocols(List.of(Protocol.HTTP_2, Protocol.HTTP_1_1));
    shared.start(InetAddress.getLoopbackAddress(), 0);
    try (shared;
        ProxyEngine engine = fixture.newEngine(host -> List.of(InetAddress.getLoopbackAddress()))) {
      for (String host : List.of(EngineFixture.HOST, OTHER_HOST)) {
        shared.enqueue(new MockResponse.Builder().build());
        String url = "https://" + host + ":" + shared.getPort();
        engine.invoke(fixture.get().to(url).build()).close();
        RecordedRequest request = shared.takeRequest(5, TimeUnit.SECONDS);
        assertThat(request.getVersion()).isEqualTo("HTTP/2");
        assertThat(request.getHeaders().get(":authority")).startsWith(host + ":");
        assertThat(request.getHandshakeServerNames()).containsExactly(host);
      }
    }
  }

  @Test
  void expressionBeyondLimitAbortsStream() {
    server.enqueue(new MockResponse.Builder().build());
    byte[] text = ("x".repeat(300_000) + "{{tok-1}}").getBytes(StandardCharsets.UTF_8);

    call().header("Content-Type", "text/plain").stream(new ByteArrayInputStream(text))
        .assertRefused(FailureCause.BODY_TOO_LARGE);
  }
}
