package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Call;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.ProxyFixture;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.e2e.fixture.Wire;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is turned away, in which order, and how (interface, sections 5 and 7). */
final class ProxyRefusalTest {

  private static final String UNAUTHENTICATED = "unauthenticated";
  private static final String UNKNOWN_PROXY = "unknown-proxy";
  private static final String FORBIDDEN = "forbidden";
  private static final String BAD_KEY = "key_" + "a".repeat(38);

  private final ProxyFixture fixture = new ProxyFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private Call keyless(String header, String value) {
    return fixture.vault.call("POST", "/proxy").header(header, value);
  }

  private Call byProxyKey(JsonNode proxy) {
    return keyless("SVC-PROXY-KEY", proxy.path("key").asText());
  }

  @Test
  void everyErrorOfTheProxysOwnHasOneAttributeAndTheTraceId() {
    Response response =
        fixture.caller.call("GET", "/proxy/x").header("SVC-TRACE-ID", "trace-4711").send();
    JsonNode problem = fixture.refused(response, 400, "destination-invalid");
    assertThat(Json.names(problem)).contains("type", "title", "status", "detail", "instance");
    assertThat(problem.path("instance").asText()).startsWith("urn:").contains("trace-4711");
    assertThat(response.header("SVC-TRACE-ID")).contains("trace-4711");
  }

  /** Each line's caller did everything wrong that the lines after it did. */
  @Test
  void refusalsComeInTheirOrder() {
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

  @Test
  void tooLargeComesBeforeTooManyTokens() {
    StringBuilder body = new StringBuilder("x".repeat(11 << 20));
    for (int i = 0; i < 101; i++) {
      body.append("{{no-such-").append(i).append("}}");
    }
    Response response = fixture.post().body("text/plain", body.toString()).send();
    fixture.refused(response, 413, "body-too-large");
  }

  @Test
  void aRefusalOnTheHeadersDoesNotWaitForTheBody() {
    try (Wire wire =
        new Wire(
            fixture.vault,
            "POST /proxy HTTP/1.1",
            "Host: vault.test",
            "SVC-API-KEY: " + BAD_KEY,
            "SVC-PROXY-URL: " + fixture.destination.url(),
            "Content-Type: application/json",
            "Content-Length: 1000000")) {
      assertThat(wire.head().status()).isEqualTo(401);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "x", "key_", "key_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa000000", "Bearer x"})
  void whatIsNoKeyIsRefused(String key) {
    Response response = keyless("SVC-PROXY-URL", fixture.destination.url()).key(key).send();
    fixture.refusedBeforeAnythingLeft(response, 401, UNAUTHENTICATED);
  }

  @Test
  void withoutAKeyARequestByUrlIsRefused() {
    Response response = keyless("SVC-PROXY-URL", fixture.destination.url()).send();
    fixture.refusedBeforeAnythingLeft(response, 401, UNAUTHENTICATED);
    assertThat(response.header("WWW-Authenticate")).isPresent();
  }

  @Test
  void withoutAKeyAProxyThatRequiresOneIsRefused() {
    fixture.refusedBeforeAnythingLeft(byProxyKey(fixture.proxy()).send(), 401, UNAUTHENTICATED);
  }

  @Test
  void aProxyThatRequiresNoKeyLetsAnybodyIn() {
    byProxyKey(fixture.anonymousProxy()).json("{}").send().expect(200);
    assertThat(fixture.receivedBody()).isEqualTo("{}");
  }

  @Test
  void aBadKeyIsRefusedEvenWhereNoneIsRequired() {
    Response response = byProxyKey(fixture.anonymousProxy()).key(BAD_KEY).send();
    fixture.refusedBeforeAnythingLeft(response, 401, UNAUTHENTICATED);
  }

  @Test
  void anUnknownProxyKeyIsNotFoundByAnyName() {
    for (String key : List.of("x", "0".repeat(32), "{{token}}", " ")) {
      fixture.refusedBeforeAnythingLeft(
          fixture.caller.call("POST", "/proxy").header("SVC-PROXY-KEY", key).send(),
          404,
          UNKNOWN_PROXY);
    }
  }

  @Test
  void aDeletedProxyIsNotFound() {
    JsonNode proxy = fixture.anonymousProxy();
    byProxyKey(proxy).send().expect(200);
    fixture.tenant.management().delete("/proxies/" + proxy.path("id").asText()).expect(204);
    fixture.refused(byProxyKey(proxy).send(), 404, UNKNOWN_PROXY);
  }

  @Test
  void aProxyThatNowRequiresAKeyIsClosedAtOnce() {
    JsonNode proxy = fixture.anonymousProxy();
    byProxyKey(proxy).send().expect(200);
    fixture
        .tenant
        .management()
        .put(
            "/proxies/" + proxy.path("id").asText(),
            Json.object("name", "closed", "destination_url", fixture.destination.url()))
        .expect(200);
    fixture.refused(byProxyKey(proxy).send(), 401, UNAUTHENTICATED);
  }

  @Test
  void aReplacedKeyIsDeadFromTheNextRequestOn() {
    fixture.call("GET", "").send().expect(200);
    String replacement =
        fixture
            .tenant
            .management()
            .post("/applications/" + fixture.caller.id() + "/regenerate")
            .expect(200)
            .text("key");
    fixture.refused(fixture.call("GET", "").send(), 401, UNAUTHENTICATED);
    fixture.call(fixture.caller.withKey(replacement), "GET", "").send().expect(200);
  }

  @Test
  void aKeyOfADeletedApplicationIsDead() {
    fixture.tenant.management().delete("/applications/" + fixture.caller.id()).expect(204);
    fixture.refusedBeforeAnythingLeft(fixture.call("GET", "").send(), 401, UNAUTHENTICATED);
  }

  @Test
  void aRightThatWasTakenAwayIsGoneAtOnce() {
    fixture
        .tenant
        .management()
        .put(
            "/applications/" + fixture.caller.id(),
            Json.object("name", "less", "permissions", List.of("token:create")))
        .expect(200);
    fixture.refusedBeforeAnythingLeft(fixture.call("GET", "").send(), 403, FORBIDDEN);
  }

  @Test
  void noOtherPermissionStandsForTokenUse() {
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
  void tokenUseInSomeRuleIsEnoughToComeIn() {
    Client ruled = fixture.tenant.ruled(TenantFixture.rule(1, "/nowhere/", "redact", "token:use"));
    fixture.call(ruled, "POST", "").json("{}").send().expect(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE", "QUERY"})
  void everyMethodIsForwarded(String method) {
    fixture.call(method, "/x").send().expect(200);
    var received = fixture.destination.received();
    assertThat(received.getMethod()).isEqualTo(method);
    assertThat(received.getTarget()).isEqualTo("/x");
  }

  @Test
  void headIsForwardedAndItsAnswerHasNoBody() {
    Response response = fixture.raw("HEAD", "/x").expect(200);
    assertThat(fixture.destination.received().getMethod()).isEqualTo("HEAD");
    assertThat(response.header(ProxyFixture.DESTINATION_STATUS)).contains("200");
    assertThat(response.bytes()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"TRACE", "CONNECT"})
  void traceAndConnectAreNotForwarded(String method) {
    Response response = fixture.raw(method, "/x");
    assertThat(response.status()).as("%s", response).isBetween(400, 405);
    assertThat(fixture.destination.count()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD"})
  void getAndHeadWithABodyAreRefused(String method) {
    try (Wire wire =
        new Wire(
            fixture.vault,
            method + " /proxy HTTP/1.1",
            "Host: vault.test",
            "Connection: close",
            "SVC-API-KEY: " + fixture.caller.key(),
            "SVC-PROXY-URL: " + fixture.destination.url(),
            "Content-Length: 2")) {
      assertThat(wire.send("{}").head().status()).isEqualTo(400);
    }
    assertThat(fixture.destination.count()).isZero();
  }

  @Test
  void aCorsPreflightIsNotForwarded() {
    fixture
        .vault
        .call("OPTIONS", "/proxy/x")
        .header("Origin", "https://shop.example")
        .header("Access-Control-Request-Method", "POST")
        .header("SVC-PROXY-KEY", fixture.anonymousProxy().path("key").asText())
        .send();
    assertThat(fixture.destination.count()).isZero();
  }

  @Test
  void theKeyIsNotTakenFromTheQuery() {
    Stream.of("svc-api-key", "SVC-API-KEY", "api_key")
        .map(
            name ->
                fixture
                    .vault
                    .call("GET", "/proxy?" + name + "=" + fixture.caller.key())
                    .header("SVC-PROXY-URL", fixture.destination.url())
                    .send())
        .forEach(response -> fixture.refusedBeforeAnythingLeft(response, 401, UNAUTHENTICATED));
  }

  @Test
  void aKeyThatIsSentTwiceIsRefused() {
    Response response = fixture.call("POST", "").key(fixture.caller.key()).send();
    assertThat(response.status()).isIn(400, 401);
    assertThat(fixture.destination.count()).isZero();
  }

  @Test
  void severalDestinationsAreRefused() {
    Response response = fixture.call("POST", "").header("SVC-PROXY-URL", "https://a.test").send();
    fixture.refusedBeforeAnythingLeft(response, 400, "destination-invalid");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Length: 3\r\nTransfer-Encoding: chunked",
        "Content-Length: 3\r\nContent-Length: 4",
        "Content-Length: +3",
        "Transfer-Encoding: chunked, identity",
        "X-Folded: a\r\n b"
      })
  void whatCouldBeReadInTwoWaysIsNotForwarded(String headers) {
    fixture.raw("POST", "/", headers).expect(400);
    assertThat(fixture.destination.count()).isZero();
  }

  @Test
  void whatFollowsARefusalIsNotTakenForARequest() {
    String smuggled = "GET /healthz HTTP/1.1\r\nHost: vault.test\r\n\r\n";
    try (Wire wire =
        new Wire(
            fixture.vault,
            "POST /proxy HTTP/1.1",
            "Host: vault.test",
            "Content-Length: " + smuggled.length())) {
      wire.answer().expect(401);
      String next = "GET /nothing HTTP/1.1\r\nHost: vault.test\r\n\r\n";
      // Of the next request, or nothing if the connection was closed: never of the one in the body.
      assertThat(
              catchThrowable(
                  () -> wire.send(smuggled).send(next).answer().expectProblem(404, "not-found")))
          .satisfiesAnyOf(
              failure -> assertThat(failure).isNull(),
              failure -> assertThat(failure).isInstanceOf(UncheckedIOException.class));
    }
  }

  @Test
  void aPathThatOnlyBeginsLikeTheProxyIsNone() {
    fixture.caller.get("/proxyx").expectProblem(404, "not-found");
  }
}
