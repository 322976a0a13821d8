package io.tokenvault.server.e2e.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.e2e.fixture.Wire;
import io.tokenvault.server.e2e.fixture.WireDestination;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * Requests that do not end, on a node with eight slots: a tenant may have four, and an application
 * or a proxy without an API key two.
 */
@TestInstance(Lifecycle.PER_CLASS)
final class TenantFairnessTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int SHARE = 2;

  @AutoClose private final ProxyFixture proxies = new ProxyFixture();
  @AutoClose private final WireDestination silent = new WireDestination();
  private final List<Wire> holding = new ArrayList<>();
  private final List<WireDestination.Exchange> unanswered = new ArrayList<>();

  @AutoClose
  private final RunningVault.Node node =
      RunningVault.shared().node(Map.of("VAULT_MAX_REQUESTS", "8"));

  @AfterEach
  void leave() {
    holding.forEach(Wire::close);
    holding.clear();
    unanswered.forEach(WireDestination.Exchange::close);
    unanswered.clear();
    Eventually.holds("all slots are free", PATIENCE, () -> status(proxies.caller) == 200);
  }

  private Response get(Client client) {
    return node.call("GET", "/permissions").key(client.key()).send();
  }

  private int status(Client client) {
    return get(client).status();
  }

  /** Invocations whose destination does not answer. */
  private void takeShare(String... headers) {
    for (int i = 0; i < SHARE; i++) {
      String head = "GET /proxy HTTP/1.1\r\n" + String.join("\r\n", headers);
      holding.add(new Wire(node.port(), head));
      unanswered.add(silent.take());
    }
  }

  private void takeShare(Client client) {
    takeShare("SVC-API-KEY: " + client.key(), "SVC-PROXY-URL: " + silent.url());
  }

  @Test
  void silentDestinationUsesUpShareOfItsApplication() {
    takeShare(proxies.caller);

    proxies.refused(proxies.byUrl(node).send(), 429, "too-many-in-progress");
    Response refused = get(proxies.caller);
    refused.expectProblem(429, "too-many-in-progress");
    assertThat(refused.header("Retry-After")).hasValue("1");
    assertThat(status(proxies.tenant.owner())).isEqualTo(200);
    assertThat(node.adminCall("GET", "/metrics").send().expect(200).text())
        .containsPattern(
            "vault_http_over_share_total\\{application=\"" + proxies.caller.id() + "\"} [1-9]");
  }

  @Test
  void applicationsOfOneTenantUseUpItsShare() {
    takeShare(proxies.caller);
    takeShare(proxies.tenant.owner());

    get(proxies.tenant.management()).expectProblem(429, "too-many-in-progress");
    assertThat(status(RunningVault.shared().newTenant().owner())).isEqualTo(200);
  }

  @Test
  void callersWithoutKeyUseUpShareOfProxy() {
    JsonNode proxy =
        proxies.tenant.proxy(TenantFixture.proxyDraft(silent.url()).put("require_auth", false));
    String key = proxy.path("key").asText();
    takeShare("SVC-PROXY-KEY: " + key);

    Response refused = node.call("GET", "/proxy").through(key).send();
    proxies.refused(refused, 429, "too-many-in-progress");
    assertThat(status(proxies.caller)).isEqualTo(200);
  }
}
