package io.tokenvault.server.e2e.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.RawDestination;
import io.tokenvault.server.e2e.fixture.RawRequest;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Requests that do not end, on a node with eight slots, of which an application may use two. */
final class TenantFairnessTest {

  @AutoClose private final ProxyFixture proxies = new ProxyFixture();
  @AutoClose private final RawDestination silent = new RawDestination();

  @AutoClose
  private final RunningVault.Node node =
      RunningVault.shared().node(Map.of("VAULT_MAX_REQUESTS", "8"));

  private RawRequest sendInvocation() {
    return proxies.sendHead(node.port(), "GET /proxy HTTP/1.1", silent.url());
  }

  private Response get(Client client) {
    return node.call("GET", "/permissions").key(client.key()).send();
  }

  @Test
  void silentDestinationExhaustsOnlyShareOfItsApplication() {
    try (RawRequest first = sendInvocation();
        RawRequest second = sendInvocation()) {
      assertThat(first).isNotEqualTo(second);
      List<RawDestination.Exchange> unanswered =
          List.of(silent.takeRequest(), silent.takeRequest());

      proxies.expectError(proxies.byUrl(node).send(), 429, "too-many-in-progress");
      Response refused = get(proxies.caller);
      refused.expectProblem(429, "too-many-in-progress");
      assertThat(refused.header("Retry-After")).hasValue("1");
      get(proxies.tenant.owner()).expect(200);
      assertThat(node.adminCall("GET", "/metrics").send().expect(200).text())
          .containsPattern(
              "vault_http_over_share_total\\{application=\"" + proxies.caller.id() + "\"} [1-9]");
      unanswered.forEach(RawDestination.Exchange::close);
    }
  }
}
