package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.RunningVault;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.Headers;
import okhttp3.Protocol;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Destinations that are reached through an HTTP proxy of the operator. */
final class ForwardProxyTest {

  private static final String AUTHORITY = HttpsDestination.HOST + ":443";

  @AutoClose private final ProxyFixture fixture = new ProxyFixture();

  /** Serves as the operator's proxy and as the destination at the end of its tunnel. */
  @AutoClose private final MockWebServer httpProxy = new MockWebServer();

  @Test
  void tunnelRevealsOnlyHostPortAndOwnCredentialsToProxy() throws Exception {
    httpProxy.setProtocols(List.of(Protocol.HTTP_1_1));
    httpProxy.useHttps(HttpsDestination.trustedTls().getSocketFactory());
    httpProxy.enqueue(new MockResponse.Builder().inTunnel().build());
    httpProxy.enqueue(new MockResponse.Builder().body("done").build());
    httpProxy.start(InetAddress.getLoopbackAddress(), 0);
    String url = "http://the%20user:pass+%3A%40%2Fword@127.0.0.1:" + httpProxy.getPort();
    String body = "[\"{{" + fixture.token("secret") + "}}\"]";
    try (RunningVault.Node node = fixture.vault.node(Map.of("VAULT_EGRESS_HTTP_PROXY", url))) {
      Call call = fixture.byUrl(node, "https://" + HttpsDestination.HOST).json(body);
      call.header("Proxy-Authorization", "Basic x");
      assertThat(call.send().expect(200).text()).isEqualTo("done");
    }

    byte[] credentials = "the user:pass+:@/word".getBytes(StandardCharsets.UTF_8);
    String authorization = "Basic " + Base64.getEncoder().encodeToString(credentials);
    RecordedRequest tunnel = httpProxy.takeRequest(20, TimeUnit.SECONDS);
    assertThat(tunnel.getRequestLine()).isEqualTo("CONNECT " + AUTHORITY + " HTTP/1.1");
    assertThat(tunnel.getHeaders())
        .isEqualTo(Headers.of("Host", AUTHORITY, "Proxy-Authorization", authorization));
    RecordedRequest request = httpProxy.takeRequest(20, TimeUnit.SECONDS);
    assertThat(ProxyFixture.receivedBody(request)).isEqualTo("[\"secret\"]");
    assertThat(request.getHeaders().get("Proxy-Authorization")).isNull();
  }
}
