package io.tokenvault.server.e2e.tenant;

import static io.tokenvault.server.e2e.fixture.TenantFixture.proxyDraft;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.HttpsDestination;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/** Every endpoint treats another tenant's id like an unknown one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TenantIsolationTest {

  @AutoClose private static final HttpsDestination DESTINATION = HttpsDestination.start();

  private final TenantFixture own = RunningVault.shared().newTenant();
  private final TenantFixture other = RunningVault.shared().newTenant();
  private final Client manager = own.management();
  private final Client owner = own.owner();

  private final Client foreignApplication = other.application("private", "token:use");
  private final JsonNode foreignProxy =
      other.proxy(proxyDraft(DESTINATION.url()).put("require_auth", false));
  private final String foreignToken = other.owner().token("other's secret");

  @TestFactory
  Stream<DynamicTest> foreignIdIsHandledLikeUnknownOneAndChangesNothing() {
    return Stream.of(ofApplications(), ofProxies(), ofTokens())
        .flatMap(List::stream)
        .map(row -> dynamicTest(row.name(), () -> row.check(this::foreignState)));
  }

  private List<Row> ofApplications() {
    String foreign = foreignApplication.id();
    ObjectNode update = Json.object("name", "n", "permissions", List.of("token:use"));
    ObjectNode name = Json.object("name", "n");
    String ownProxy = "/proxies/" + own.proxy(proxyBody()).get("id").asText();
    ObjectNode question = Json.object("permission", "token:read", "container", "/");
    return List.of(
        row("GET application", foreign, id -> manager.get("/applications/" + id)),
        row("PUT application", foreign, id -> manager.put("/applications/" + id, update)),
        row("PATCH application", foreign, id -> manager.patch("/applications/" + id, name)),
        row("regenerate", foreign, id -> manager.post("/applications/" + id + "/regenerate")),
        row("DELETE application", foreign, id -> manager.delete("/applications/" + id)),
        row("applications by id", foreign, id -> manager.get("/applications?id=" + id)),
        row("POST proxy that names it", foreign, id -> manager.post("/proxies", proxyNaming(id))),
        row("PUT proxy that names it", foreign, id -> manager.put(ownProxy, proxyNaming(id))),
        row(
            "POST proxy test that names it",
            foreign,
            id ->
                manager.post(
                    ownProxy + "/test", sample().set("application", Json.object("id", id)))),
        row(
            "explain access",
            foreign,
            id -> manager.post("/access/explain", question.put("application_id", id))),
        row("logs by entity", foreign, id -> manager.get("/logs?entity_id=" + id)));
  }

  private List<Row> ofProxies() {
    String foreign = foreignProxy.get("id").asText();
    String key = foreignProxy.get("key").asText();
    ObjectNode name = Json.object("name", "n");
    return List.of(
        row("GET proxy", foreign, id -> manager.get("/proxies/" + id)),
        row("PUT proxy", foreign, id -> manager.put("/proxies/" + id, proxyBody())),
        row("PATCH proxy", foreign, id -> manager.patch("/proxies/" + id, name)),
        row("POST proxy test", foreign, id -> manager.post("/proxies/" + id + "/test", sample())),
        row("DELETE proxy", foreign, id -> manager.delete("/proxies/" + id)),
        row("proxies by id", foreign, id -> manager.get("/proxies?id=" + id)),
        new Row(
            "proxy key in the header",
            key,
            UNKNOWN_PROXY_KEY,
            each -> owner.call("POST", "/proxy").through(each).send()),
        new Row(
            "proxy key in the query",
            key,
            UNKNOWN_PROXY_KEY,
            each -> owner.post("/proxy?svc-proxy-key=" + each)));
  }

  private List<Row> ofTokens() {
    ObjectNode change = Json.object("metadata", Json.object("k", "v"));
    ObjectNode question = Json.object("application_id", owner.id(), "permission", "token:read");
    return List.of(
        row("GET token", foreignToken, id -> owner.get("/tokens/" + id)),
        row("PATCH token", foreignToken, id -> owner.patch("/tokens/" + id, change)),
        row("DELETE token", foreignToken, id -> owner.delete("/tokens/" + id)),
        row("tokens by id", foreignToken, id -> owner.get("/tokens?id=" + id)),
        row(
            "search tokens",
            foreignToken,
            id -> owner.post("/tokens/search", Json.object("query", "id:\"" + id + "\""))),
        row("detokenize", foreignToken, id -> owner.post("/detokenize", Json.of("{{" + id + "}}"))),
        row(
            "explain access to a token",
            foreignToken,
            id -> manager.post("/access/explain", question.put("token_id", id))),
        row(
            "logs by entity and type",
            foreignToken,
            id -> manager.get("/logs?entity_type=token&entity_id=" + id)),
        row("token in a proxied body", foreignToken, this::proxied));
  }

  private Response proxied(String token) {
    JsonNode body = Json.object("card", "{{" + token + "}}");
    return owner.call("POST", "/proxy").to(DESTINATION.url()).json(body).send();
  }

  private static final String UNKNOWN_PROXY_KEY = "0".repeat(32);

  private JsonNode foreignState() {
    foreignApplication.get("/permissions").expect(200);
    ObjectNode application =
        (ObjectNode) other.management().get("/applications/" + foreignApplication.id()).json();
    // The last use may be recorded at any time.
    application.remove("last_used_at");
    return Json.of(
        List.of(
            application,
            other.management().get("/proxies/" + foreignProxy.get("id").asText()).json(),
            other.owner().get("/tokens/" + foreignToken).expect(200).json()));
  }

  @Test
  void invocationOfForeignProxyReachesNothing() {
    int before = DESTINATION.count();

    Response response = owner.call("POST", "/proxy/pay").through(foreignProxy).send();

    response.expect(404);
    assertThat(response.get("proxy_error").path("type").asText())
        .isEqualTo("urn:tokenvault:problem:unknown-proxy");
    assertThat(DESTINATION.count()).isEqualTo(before);
  }

  @Test
  void listsContainOnlyOwnResources() {
    TenantFixture own = RunningVault.shared().newTenant();
    Client manager = own.management();
    other.owner().token("x", "/general/high/");

    assertThat(Json.each(manager.get("/applications").get("data"), "tenant_id"))
        .containsOnly(own.id());
    assertThat(manager.get("/proxies").get("data")).isEmpty();
    assertThat(own.owner().get("/tokens").get("data")).isEmpty();
    assertThat(Json.each(manager.get("/logs?size=1000").get("data"), "tenant_id"))
        .containsOnly(own.id());
    assertThat(manager.get("/applications").totalItems()).isEqualTo(2);
  }

  @Test
  void deletedTenantIsInaccessibleAndOthersRemain() {
    String token = owner.token("kept");
    TenantFixture deletedTenant = RunningVault.shared().newTenant();
    Client foreignOwner = deletedTenant.owner();
    String foreignToken = foreignOwner.token("x");
    JsonNode proxy = deletedTenant.proxy(proxyDraft(DESTINATION.url()).put("require_auth", false));
    TenantId deleted = new TenantId(UUID.fromString(deletedTenant.id()));

    assertThat(RunningVault.shared().backend().manageTenants().delete(deleted)).isTrue();

    deletedTenant.management().get("/applications").expectProblem(401, "unauthenticated");
    foreignOwner.get("/tokens/" + foreignToken).expectProblem(401, "unauthenticated");
    RunningVault.shared().call("POST", "/proxy").through(proxy).send().expect(404);
    assertThat(owner.get("/tokens/" + token).expect(200).text("data")).isEqualTo("kept");
  }

  @Test
  void identicalTokenIdNamesOwnTokenOfEachTenant() {
    owner.token(Json.object("type", "token", "data", "own", "id", "same"));
    Client foreignOwner = other.owner();
    foreignOwner.token(Json.object("type", "token", "data", "other", "id", "same"));

    assertThat(owner.get("/tokens/same").text("data")).isEqualTo("own");
    owner.delete("/tokens/same").expect(204);
    assertThat(foreignOwner.get("/tokens/same").text("data")).isEqualTo("other");
  }

  @Test
  void deduplicationFindsOnlyOwnTokens() {
    ObjectNode token = Json.object("type", "token", "data", "of both", "deduplicate_token", true);
    String foreign = other.owner().token(token);

    String id = owner.token(token);

    assertThat(id).isNotEqualTo(foreign);
    assertThat(owner.post("/tokens", token).expect(200).text("id")).isEqualTo(id);
  }

  @Test
  void tokenWithSharedIdIsSentWithOwnData() {
    owner.token(Json.object("type", "token", "data", "own", "id", "shared-id"));
    other.owner().token(Json.object("type", "token", "data", "other", "id", "shared-id"));

    proxied("shared-id").expect(200);

    assertThat(DESTINATION.received().getBody().utf8()).isEqualTo("{\"card\":\"own\"}");
  }

  private static ObjectNode proxyBody() {
    return Json.object("name", "own", "destination_url", "https://api.example.com");
  }

  private static ObjectNode sample() {
    return Json.object("request", Json.object());
  }

  private static ObjectNode proxyNaming(String application) {
    return proxyBody().set("application", Json.object("id", application));
  }

  private static Row row(String name, String foreign, Function<String, Response> request) {
    return new Row(name, foreign, UUID.randomUUID().toString(), request);
  }

  /** A request that is sent with another tenant's id and with an unknown one. */
  private record Row(
      String name, String foreign, String unknown, Function<String, Response> request) {

    void check(Supplier<JsonNode> state) {
      JsonNode before = state.get();
      Response foreignResponse = request.apply(foreign);
      Response unknownResponse = request.apply(unknown);

      assertThat(comparable(foreignResponse)).isEqualTo(comparable(unknownResponse));
      assertThat(foreignResponse.status()).isIn(200, 400, 404);
      assertThat(state.get()).isEqualTo(before);
    }

    /** Returns the response without the id that was sent and the trace id. */
    private String comparable(Response response) {
      return response.status()
          + " "
          + response.headers().firstValue("Content-Type")
          + " "
          + response
              .text()
              .replace(foreign, "ID")
              .replace(unknown, "ID")
              .replaceAll("\"instance\":\"[^\"]*\"", "\"instance\":\"\"");
    }
  }
}
