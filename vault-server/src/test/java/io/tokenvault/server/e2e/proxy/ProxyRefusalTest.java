package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is turned away, in which order, and how (interface, sections 5 and 7). */
final class ProxyRefusalTest {

  private static final String UNAUTHENTICATED = "unauthenticated";
  private static final String UNKNOWN_PROXY = "unknown-proxy";
  private static final String FORBIDDEN = "forbidden";
  private static final String BAD_KEY = "key_" + "a".repeat(38);

  @RegisterExtension private static final ProxyFixture fixture = new ProxyFixture();

  private Call keyless(String header, String value) {
    return fixture.vault.call("POST", "/proxy").header(header, value);
  }

  private Call byProxyKey(JsonNode proxy) {
    return keyless("SVC-PROXY-KEY", proxy.path("key").asText());
  }

  @Test
  void ownErrorHasOnePropertyAndTraceId() {
    Response response =
        fixture.caller.call("GET", "/proxy/x").header("SVC-TRACE-ID", "trace-4711").send();
    JsonNode problem = fixture.refused(response, 400, "destination-invalid");
    assertThat(Json.names(problem)).contains("type", "title", "status", "detail", "instance");
    assertThat(problem.path("instance").asText()).startsWith("urn:").contains("trace-4711");
    assertThat(response.header("SVC-TRACE-ID")).contains("trace-4711");
  }

  /** Each line's caller did everything wrong that the lines after it did. */
  @Test
  void rejectionsFollowDefinedOrder() {
    Client useless = fixture.tenant.application("private", "token:create");
    String anonymous = fixture.anonymousProxy().path("key").asText();
    Client stranger = fixture.vault.newTenant().application("private", "token:use");
    String unknown = "0".repeat(32);
    fixture.refused(badly(BAD_KEY, "SVC-PROXY-KEY", unknown), 401, UNAUTHENTICATED);
    fixture.refused(badly(BAD_KEY, "SVC-PROXY-URL", "http://1"), 401, UNAUTHENTICATED);
    fixture.refused(badly(useless.key(), "SVC-PROXY-KEY", unknown), 404, UNKNOWN_PROXY);
    fixture.refused(badly(stranger.key(), "SVC-PROXY-KEY", anonymous), 404, UNKNOWN_PROXY);
    fixture.refused(badly(null, "SVC-PROXY-KEY", unknown), 404, UNKNOWN_PROXY);
    fixture.refused(badly(null, "SVC-PROXY-URL", "http://1"), 401, UNAUTHENTICATED);
    fixture.refused(badly(useless.key(), "SVC-PROXY-URL", "http://1"), 403, FORBIDDEN);
    fixture.refused(badly(useless.key(), "SVC-PROXY-KEY", anonymous), 403, FORBIDDEN);
    fixture.refused(
        badly(fixture.caller.key(), "SVC-PROXY-URL", "http://1"), 400, "destination-invalid");
    fixture.refused(
        badly(fixture.caller.key(), "SVC-PROXY-URL", fixture.destination.url()),
        400,
        "too-many-tokens");
    assertThat(fixture.destination.count()).isZero();
  }

  /** With more tokens than allowed, none of which exists. */
  private Response badly(String key, String header, String value) {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < 101; i++) {
      body.append("{{no-such-").append(i).append("}}");
    }
    Call call = keyless(header, value).body("text/plain", body.toString());
    return (key == null ? call : call.key(key)).send();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "key_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa000000"})
  void malformedKeyIsRejected(String key) {
    Response response = keyless("SVC-PROXY-URL", fixture.destination.url()).key(key).send();
    fixture.refusedBeforeAnythingLeft(response, 401, UNAUTHENTICATED);
  }

  @Test
  void requestByUrlWithoutKeyIsRejected() {
    Response response = keyless("SVC-PROXY-URL", fixture.destination.url()).send();
    fixture.refusedBeforeAnythingLeft(response, 401, UNAUTHENTICATED);
    assertThat(response.header("WWW-Authenticate")).isPresent();
  }

  @Test
  void invalidKeyIsRejectedEvenIfNoneIsRequired() {
    Response response = byProxyKey(fixture.anonymousProxy()).key(BAD_KEY).send();
    fixture.refusedBeforeAnythingLeft(response, 401, UNAUTHENTICATED);
  }

  @Test
  void unknownProxyKeyIsNotFound() {
    for (String key : List.of("x", "0".repeat(32), "{{token}}", " ")) {
      fixture.refusedBeforeAnythingLeft(
          fixture.caller.call("POST", "/proxy").through(key).send(), 404, UNKNOWN_PROXY);
    }
  }

  @Test
  void deletedProxyIsNotFound() {
    JsonNode proxy = fixture.anonymousProxy();
    byProxyKey(proxy).send().expect(200);
    fixture.tenant.management().delete("/proxies/" + proxy.path("id").asText()).expect(204);
    fixture.refused(byProxyKey(proxy).send(), 404, UNKNOWN_PROXY);
  }

  @Test
  void newKeyRequirementRejectsCallersWithoutKeyAtOnce() {
    JsonNode proxy = fixture.anonymousProxy();
    byProxyKey(proxy).json("{}").send().expect(200);
    assertThat(fixture.receivedBody()).isEqualTo("{}");
    fixture.changeDestination(proxy, fixture.destination.url());
    fixture.refused(byProxyKey(proxy).send(), 401, UNAUTHENTICATED);
    assertThat(fixture.destination.count()).isEqualTo(1);
  }

  /** Replaced, then the permission taken away, then the application deleted. */
  @Test
  void revokedAccessIsRejectedFromNextRequest() {
    Client client = fixture.tenant.application("private", "token:use");
    String path = "/applications/" + client.id();
    fixture.call(client, "GET", "").send().expect(200);
    String key = fixture.tenant.management().post(path + "/regenerate").expect(200).text("key");
    fixture.refused(fixture.call(client, "GET", "").send(), 401, UNAUTHENTICATED);
    Client replaced = client.withKey(key);
    fixture.call(replaced, "GET", "").send().expect(200);
    fixture
        .tenant
        .management()
        .put(path, Json.object("name", "less", "permissions", List.of("token:create")))
        .expect(200);
    fixture.refused(fixture.call(replaced, "GET", "").send(), 403, FORBIDDEN);
    fixture.tenant.management().delete(path).expect(204);
    fixture.refused(fixture.call(replaced, "GET", "").send(), 401, UNAUTHENTICATED);
    assertThat(fixture.destination.count()).isEqualTo(2);
  }

  @Test
  void noOtherPermissionReplacesTokenUse() {
    List<Client> others = new ArrayList<>();
    others.add(fixture.tenant.management());
    others.add(
        fixture.tenant.application(
            "private",
            "token:create",
            "token:update",
            "token:read",
            "token:search",
            "token:delete"));
    others.add(fixture.tenant.application("public", "token:create"));
    for (Client other : others) {
      fixture.refusedBeforeAnythingLeft(fixture.call(other, "POST", "").send(), 403, FORBIDDEN);
    }
  }

  @Test
  void tokenUseInAnyRuleAdmitsCaller() {
    Client ruled = fixture.tenant.ruled(TenantFixture.rule(1, "/nowhere/", "redact", "token:use"));
    fixture.call(ruled, "POST", "").json("{}").send().expect(200);
  }

  @Test
  void keyInQueryIsNotAccepted() {
    Stream.of("svc-api-key", "SVC-API-KEY", "api_key")
        .map(
            name ->
                fixture
                    .vault
                    .call("GET", "/proxy?" + name + "=" + fixture.caller.key())
                    .to(fixture.destination.url())
                    .send())
        .forEach(response -> fixture.refusedBeforeAnythingLeft(response, 401, UNAUTHENTICATED));
  }
}
