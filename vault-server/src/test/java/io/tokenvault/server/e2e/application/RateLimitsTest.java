package io.tokenvault.server.e2e.application;

import static io.tokenvault.server.e2e.fixture.Call.IDEMPOTENCY_REPEAT;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rate limits over HTTP, on a node whose clock only a test advances. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RateLimitsTest {

  /** For anonymous callers of a proxy, who may send one more request every ten seconds. */
  private static final int ANONYMOUS_BURST = 2;

  private final AtomicLong clock = new AtomicLong(System.nanoTime());

  @AutoClose
  private final RunningVault.Node node =
      RunningVault.shared()
          .node(
              Map.of(
                  "VAULT_APPLICATION_RATE_PER_MINUTE", "30",
                  "VAULT_APPLICATION_RATE_BURST", "5",
                  "VAULT_ANONYMOUS_RATE_PER_MINUTE", "6",
                  "VAULT_ANONYMOUS_RATE_BURST", "2"),
              clock::get);

  @RegisterExtension private static final ProxyFixture proxies = new ProxyFixture();

  private final TenantFixture tenant = proxies.tenant;

  private void advanceClock(Duration time) {
    clock.addAndGet(time.toNanos());
  }

  private Response get(String key, String path) {
    return node.call("GET", path).key(key).send();
  }

  private Response get(Client client) {
    return get(client.key(), "/permissions");
  }

  private static void assertLimited(Response response, String retryAfter) {
    response.expectProblem(429, "rate-limited");
    assertThat(response.header("Retry-After")).as("%s", response).contains(retryAfter);
  }

  private Client application() {
    return tenant.application("private", "token:read", "token:use");
  }

  @Test
  void responsesReportRemainingRequests() {
    Client client = application();

    assertRemaining(get(client).expect(200), 4, 2);
    assertRemaining(get(client.key(), "/tokens/no-such-token").expect(404), 3, 4);
    assertRemaining(get(client.key(), "/applications").expect(403), 2, 6);
    assertRemaining(get(client).expect(200), 1, 8);
    assertRemaining(get(client).expect(200), 0, 10);
    assertRemaining(get(client).expectProblem(429, "rate-limited"), 0, 10);
    assertRemaining(byUrl(client).expect(429), 0, 10);
    assertThat(node.call("GET", "/healthz").send().expect(200).header("RateLimit-Limit")).isEmpty();
  }

  private static void assertRemaining(Response response, int remaining, int reset) {
    assertThat(response.header("RateLimit-Limit")).as("%s", response).contains("5");
    assertThat(response.header("RateLimit-Remaining")).contains(Integer.toString(remaining));
    assertThat(response.header("RateLimit-Reset")).contains(Integer.toString(reset));
  }

  @Test
  void rateLimitOfDestinationIsPassedOnUnchanged() {
    proxies.destination.respond(
        new MockResponse.Builder().addHeader("RateLimit-Remaining", "77").build());
    Response response = byUrl(application()).expect(200);

    assertThat(response.header("RateLimit-Remaining")).contains("77");
    assertThat(response.header("RateLimit-Limit")).isEmpty();
  }

  @Test
  void allRequestsOfApplicationCountTowardOneLimit() {
    Client client = application();
    String token = proxies.token("data");
    get(client.key(), "/tokens/" + token).expect(200);
    get(client.key(), "/tokens/no-such-token").expect(404);
    get(client.key(), "/applications").expect(403);
    node.call("POST", "/tokens").key(client.key()).json("{").send().expect(403);
    byUrl(client).expect(200);

    assertLimited(get(client.key(), "/tokens/" + token), "2");
    assertLimited(get(client.key(), "/applications"), "2");
    assertLimited(node.adminCall("GET", "/permissions").key(client.key()).send(), "2");
    assertLimitedProxy(byUrl(client), "2");
    assertThat(proxies.destination.count()).isEqualTo(1);
    String series = "vault_rate_limited_total{application=\"" + client.id() + "\"} 4.0";
    assertThat(node.adminCall("GET", "/metrics").send().expect(200).text()).contains(series);
  }

  private Response byUrl(Client client) {
    return node.call("GET", "/proxy/").key(client.key()).to(proxies.destination.url()).send();
  }

  private void assertLimitedProxy(Response response, String retryAfter) {
    proxies.expectError(response, 429, "rate-limited");
    assertThat(response.header("Retry-After")).as("%s", response).contains(retryAfter);
  }

  @Test
  void anonymousProxyIsLimitedWithoutDelayingKeyedCallers() {
    JsonNode proxy = proxies.anonymousProxy();
    for (int i = 0; i < ANONYMOUS_BURST; i++) {
      anonymous(proxy).expect(200);
    }
    assertLimitedProxy(anonymous(proxy), "10");
    advanceClock(Duration.ofMillis(3_500));
    assertLimitedProxy(anonymous(proxy), "7");

    proxies.through(node, proxy).send().expect(200);
    anonymous(proxies.anonymousProxy()).expect(200);
    advanceClock(Duration.ofMillis(6_500));
    anonymous(proxy).expect(200);
    assertLimitedProxy(anonymous(proxy), "10");
    assertThat(proxies.destination.count()).isEqualTo(ANONYMOUS_BURST + 3);
  }

  private Response anonymous(JsonNode proxy) {
    return node.call("POST", "/proxy").through(proxy).send();
  }

  @Test
  void idempotentInvocationAndEachRetryAreCountedOnce() {
    Client client = application();
    sendIdempotent(client, "first").expect(200);
    assertThat(sendIdempotent(client, "first").expect(200).header(IDEMPOTENCY_REPEAT)).isPresent();
    sendIdempotent(client, "second").expect(200);
    // The node has cached the previous version of the application.
    JsonNode changed = Json.object("name", "changed", "permissions", List.of("token:use"));
    tenant.management().put("/applications/" + client.id(), changed).expect(200);
    assertThat(sendIdempotent(client, "second").expect(200).header(IDEMPOTENCY_REPEAT)).isPresent();
    sendIdempotent(client, "third").expect(200);

    assertLimitedProxy(sendIdempotent(client, "third"), "2");
    assertLimitedProxy(sendIdempotent(client, "fourth"), "2");
    assertThat(proxies.destination.count()).isEqualTo(3);
    advanceClock(Duration.ofSeconds(2));
    assertThat(sendIdempotent(client, "third").expect(200).header(IDEMPOTENCY_REPEAT)).isPresent();
    assertLimitedProxy(sendIdempotent(client, "fourth"), "2");
  }

  private Response sendIdempotent(Client client, String key) {
    return node.call("POST", "/proxy/")
        .key(client.key())
        .to(proxies.destination.url())
        .idempotent(key)
        .json("{}")
        .send();
  }
}
