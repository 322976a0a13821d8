package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Destinations that are reached through the operator's own proxy. */
@Execution(ExecutionMode.CONCURRENT)
final class ForwardProxyTest {

  private static final String LOCAL = "127.0.0.1";

  @AutoClose private final ProxyFixture fixture = new ProxyFixture(HttpsDestination.startHttp1());

  private RunningVault.Node through(String url) {
    return fixture.vault.node(Map.of("VAULT_EGRESS_HTTP_PROXY", url));
  }

  @Test
  void tunnelRevealsOnlyHostPortAndOwnCredentialsToProxy() {
    String token = fixture.token("secret");
    String body = "[\"{{" + token + "}}\"]";
    JsonNode proxy = fixture.proxy();
    byte[] credentials = "the user:pass+:@/word".getBytes(StandardCharsets.UTF_8);
    String authorization = "Basic " + Base64.getEncoder().encodeToString(credentials);
    try (ConnectProxy own = ConnectProxy.startFor(authorization);
        RunningVault.Node node =
            through("http://the%20user:pass+%3A%40%2Fword@" + LOCAL + ":" + own.port())) {
      Call planted = fixture.byUrl(node).header("X-Planted", "planted-header").json(body);
      planted.header("Proxy-Authorization", "Basic x").send().expect(200);
      var received = fixture.destination.received();
      assertThat(ProxyFixture.receivedBody(received)).isEqualTo("[\"secret\"]");
      assertThat(received.getHeaders().get("Proxy-Authorization")).isNull();
      fixture.through(node, proxy).json(body).send().expect(200);
      assertThat(fixture.receivedBody()).isEqualTo("[\"secret\"]");
      String authority = HttpsDestination.HOST + ":" + fixture.destination.port();
      assertThat(own.heads())
          .isNotEmpty()
          .allSatisfy(
              head ->
                  assertThat(head)
                      .startsWith("CONNECT " + authority + " HTTP/1.1")
                      .contains(authorization));
      assertThat(own.passed()).isNotEmpty();
      assertThat(own.heads() + own.passed())
          .doesNotContain(
              "secret", "planted-header", token, fixture.caller.key(), "SVC-", "Basic x");
      String unnamed = fixture.destination.url(HttpsDestination.UNNAMED_HOST);
      fixture.refused(fixture.byUrl(node, unnamed).send(), 502, "tls-failed");
      assertThat(fixture.destination.count()).isEqualTo(2);
    }
  }

  @Test
  void destinationIsCheckedBeforeForwardProxyIsContacted() {
    String bound = fixture.tenant.owner().token("secret", "/pci/");
    fixture.tenant.bind("/pci/", "api.stripe.com");
    try (ConnectProxy own = ConnectProxy.startFor("Basic x");
        RunningVault.Node node = through("http://" + LOCAL + ":" + own.port())) {
      for (String url : new String[] {"https://10.0.0.1", "http://a.test"}) {
        fixture.refusedBeforeAnythingLeft(
            fixture.byUrl(node, url).send(), 400, "destination-invalid");
      }
      String rebound = fixture.destination.url(HttpsDestination.REBOUND_HOST);
      fixture.refusedBeforeAnythingLeft(fixture.byUrl(node, rebound).send(), 502, "connect-failed");
      Response refused = fixture.byUrl(node).json("[\"{{" + bound + "}}\"]").send();
      fixture.refusedBeforeAnythingLeft(refused, 403, "tokens-bound");
      assertThat(own.heads()).isEmpty();
    }
  }
}
