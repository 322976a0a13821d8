package io.tokenvault.server.e2e.proxy;

import static io.tokenvault.server.e2e.fixture.TenantFixture.proxyDraft;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.RawDestination;
import io.tokenvault.server.e2e.fixture.RawRequest;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The timeout of a proxy for the first byte of a response. */
final class ProxyTimeoutTest {

  private static final String SHORT_LIMIT = "200";

  @AutoClose private final ProxyFixture fixture = new ProxyFixture();

  private JsonNode proxy(long timeoutMillis) {
    return fixture.tenant.proxy(
        proxyDraft(fixture.destination.url()).put("timeout_ms", timeoutMillis));
  }

  private Response invoke(JsonNode proxy) {
    return fixture.caller.call("POST", "/proxy").through(proxy).json("{}").send();
  }

  private void respondAfter(long time, TimeUnit unit) {
    fixture.destination.respond(
        new MockResponse.Builder().headersDelay(time, unit).body("late").build());
  }

  @Test
  void timeoutLongerThanServersAllowsSlowDestination() {
    respondAfter(500, TimeUnit.MILLISECONDS);
    JsonNode longTimeout = proxy(20_000);
    try (RunningVault.Node node =
        fixture.vault.node(Map.of("VAULT_PROXY_ANSWER_TIMEOUT_MS", SHORT_LIMIT))) {
      assertThat(fixture.through(node, longTimeout).send().expect(200).text()).isEqualTo("late");
      respondAfter(20, TimeUnit.SECONDS);
      fixture.expectError(fixture.byUrl(node).send(), 504, "answer-timeout");
    }
  }

  @Test
  void timeoutShorterThanServersAppliesUntilRemoved() {
    // Opens a connection that is reused below, since the timeout includes connecting.
    fixture.post().send().expect(200);
    JsonNode shortTimeout = proxy(500);
    respondAfter(20, TimeUnit.SECONDS);
    fixture.expectError(invoke(shortTimeout), 504, "answer-timeout");
    // The destination may not have read the second request before its timeout.
    assertThat(fixture.destination.count()).isLessThanOrEqualTo(2);

    respondAfter(1000, TimeUnit.MILLISECONDS);
    fixture.changeDestination(shortTimeout, fixture.destination.url());
    assertThat(invoke(shortTimeout).expect(200).text()).isEqualTo("late");
    assertThat(fixture.post().send().expect(200).text()).isEqualTo("late");
  }

  @Test
  void timeoutDoesNotLimitRestOfResponse() throws InterruptedException {
    long limit = 2000;
    try (RawDestination destination = new RawDestination()) {
      JsonNode proxy = fixture.tenant.proxy(proxyDraft(destination.url()).put("timeout_ms", limit));
      try (RawRequest caller =
          new RawRequest(
              fixture.vault.port(),
              "GET /proxy HTTP/1.1",
              "SVC-API-KEY: " + fixture.caller.key(),
              "SVC-PROXY-KEY: " + proxy.path("key").asText())) {
        RawDestination.Exchange exchange = destination.takeRequest();
        exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst");
        Thread.sleep(limit + 200);
        exchange.send("other");
        assertThat(caller.readResponse().expect(200).text()).isEqualTo("firstother");
      }
    }
  }
}
