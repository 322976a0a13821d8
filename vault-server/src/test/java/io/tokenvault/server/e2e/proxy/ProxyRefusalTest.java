package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.RawRequest;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rejected requests to the proxy, and the order of the checks. */
final class ProxyRefusalTest {

  private static final String UNAUTHENTICATED = "unauthenticated";
  private static final String UNKNOWN_PROXY = "unknown-proxy";
  private static final String FORBIDDEN = "forbidden";
  private static final String BAD_KEY = "key_" + "a".repeat(38);

  @RegisterExtension private static final ProxyFixture fixture = new ProxyFixture();

  private Call callWithoutKey(String header, String value) {
    return fixture.vault.call("POST", "/proxy").header(header, value);
  }

  private Call byProxyKey(JsonNode proxy) {
    return callWithoutKey("SVC-PROXY-KEY", proxy.path("key").asText());
  }

  @Test
  void ownErrorHasOnePropertyAndTraceId() {
    Response response =
        fixture.caller.call("GET", "/proxy/x").header("SVC-TRACE-ID", "trace-4711").send();
    JsonNode problem = fixture.expectError(response, 400, "destination-invalid");
    assertThat(Json.names(problem)).contains("type", "title", "status", "detail", "instance");
    assertThat(problem.path("instance").asText()).startsWith("urn:").contains("trace-4711");
    assertThat(response.header("SVC-TRACE-ID")).contains("trace-4711");
  }

  /** Each request also has the faults of the requests after it. */
  @Test
  void rejectionsFollowDefinedOrder() {
    Client creator = fixture.tenant.application("private", "token:create");
    String anonymous = fixture.anonymousProxy().path("key").asText();
    Client stranger = fixture.vault.newTenant().application("private", "token:use");
    String unknown = "0".repeat(32);
    fixture.expectError(sendBad(BAD_KEY, "SVC-PROXY-KEY", unknown), 401, UNAUTHENTICATED);
    fixture.expectError(sendBad(BAD_KEY, "SVC-PROXY-URL", "http://1"), 401, UNAUTHENTICATED);
    fixture.expectError(sendBad(creator.key(), "SVC-PROXY-KEY", unknown), 404, UNKNOWN_PROXY);
    fixture.expectError(sendBad(stranger.key(), "SVC-PROXY-KEY", anonymous), 404, UNKNOWN_PROXY);
    fixture.expectError(sendBad(null, "SVC-PROXY-KEY", unknown), 404, UNKNOWN_PROXY);
    fixture.expectError(sendBad(null, "SVC-PROXY-URL", "http://1"), 401, UNAUTHENTICATED);
    fixture.expectError(sendBad(creator.key(), "SVC-PROXY-URL", "http://1"), 403, FORBIDDEN);
    fixture.expectError(sendBad(creator.key(), "SVC-PROXY-KEY", anonymous), 403, FORBIDDEN);
    fixture.expectError(
        sendBad(fixture.caller.key(), "SVC-PROXY-URL", "http://1"), 400, "destination-invalid");
    fixture.expectError(
        sendBad(fixture.caller.key(), "SVC-PROXY-URL", fixture.destination.url()),
        400,
        "too-many-tokens");
    assertThat(fixture.destination.count()).isZero();
  }

  /** Sends a request with too many tokens, none of which exists. */
  private Response sendBad(String key, String header, String value) {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < 101; i++) {
      body.append("{{no-such-").append(i).append("}}");
    }
    Call call = callWithoutKey(header, value).body("text/plain", body.toString());
    return (key == null ? call : call.key(key)).send();
  }

  @Test
  void newProxyRequiresKeyByDefault() {
    ObjectNode draft = TenantFixture.proxyDraft(fixture.destination.url());
    for (ObjectNode each : List.of(draft, draft.deepCopy().putNull("require_auth"))) {
      Response response = byProxyKey(fixture.tenant.proxy(each)).send();
      fixture.expectErrorBeforeSending(response, 401, UNAUTHENTICATED);
    }
  }

  @Test
  void invalidKeyIsRejectedEvenIfNoneIsRequired() {
    Response response = byProxyKey(fixture.anonymousProxy()).key(BAD_KEY).send();
    fixture.expectErrorBeforeSending(response, 401, UNAUTHENTICATED);
  }

  /** Each request also has the faults of the requests after it. */
  @Test
  void bodyRejectionsFollowHeaderRejectionsInDefinedOrder() {
    Client limited =
        fixture.tenant.applicationWithRules(TenantFixture.rule(1, "/pci/", "reveal", "token:use"));
    String forbidden = expression(fixture.tenant.owner().token("secret", "/pii/"));
    String unknown = expression("no-such-token");
    String many =
        IntStream.range(0, 100).mapToObj(i -> expression("no-" + i)).collect(Collectors.joining());
    String large = "x".repeat(11 << 20);
    String url = fixture.destination.url();
    String unresolved = "https://nothing.invalid";
    fixture.expectError(announceBody(limited, "https://127.0.0.1"), 400, "destination-invalid");
    fixture.expectError(
        send(limited, url, many + unknown + forbidden + large), 413, "body-too-large");
    fixture.expectError(send(limited, url, many + unknown + forbidden), 400, "too-many-tokens");
    JsonNode problem =
        fixture.expectError(send(limited, unresolved, unknown + forbidden), 400, "unknown-tokens");
    assertThat(problem.path("detail").asText())
        .contains("no-such-token")
        .doesNotContain(forbidden.substring(2, 10));
    fixture.expectError(send(limited, unresolved, forbidden), 403, "tokens-forbidden");
    fixture.expectError(send(limited, unresolved, ""), 502, "dns-failed");
    assertThat(fixture.destination.count()).isZero();
  }

  /**
   * Announces a body that is too large without sending it, since the response does not wait for it.
   */
  private Response announceBody(Client client, String url) {
    try (RawRequest raw =
        new RawRequest(
            fixture.vault.port(),
            "POST /proxy HTTP/1.1",
            "SVC-API-KEY: " + client.key(),
            "SVC-PROXY-URL: " + url,
            "Content-Type: text/plain",
            "Content-Length: " + (11 << 20))) {
      return raw.readResponse();
    }
  }

  private static String expression(String id) {
    return "{{" + id + "}}";
  }

  private static Response send(Client client, String url, String body) {
    return client.call("POST", "/proxy").to(url).body("text/plain", body).send();
  }

  /** Responses must not reveal which private names exist. */
  @Test
  void loopbackNameIsReportedLikeUnresolvableName() {
    Response unresolvable = sendTraced("nothing.invalid");
    fixture.expectError(unresolvable, 502, "dns-failed");
    Response loopback = sendTraced(HttpsDestination.REBOUND_HOST);

    assertThat(loopback.text())
        .isEqualTo(unresolvable.text().replace("nothing.invalid", HttpsDestination.REBOUND_HOST));
    assertThat(loopback.headers().map().keySet()).isEqualTo(unresolvable.headers().map().keySet());
    Eventually.holds(
        "the audit log has the difference",
        Duration.ofSeconds(20),
        () ->
            fixture
                .tenant
                .messages()
                .containsAll(
                    List.of(
                        "Proxy invocation ended: The destination's address is refused",
                        "Proxy invocation ended: The destination's name does not resolve to a"
                            + " permitted address")));
  }

  private Response sendTraced(String host) {
    return fixture
        .caller
        .call("GET", "/proxy")
        .to("https://" + host)
        .header("SVC-TRACE-ID", "the-same")
        .send();
  }
}
