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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/** For every id that an endpoint takes, another tenant's is the same as one that nobody has. */
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
    String application = foreignApplication.id();
    String proxy = foreignProxy.get("id").asText();
    String proxyKey = foreignProxy.get("key").asText();
    ObjectNode update = Json.object("name", "n", "permissions", List.of("token:use"));
    Map<String, Row> rows = new LinkedHashMap<>();
    rows.put("GET application", row(application, id -> manager.get("/applications/" + id)));
    rows.put("PUT application", row(application, id -> manager.put("/applications/" + id, update)));
    ObjectNode name = Json.object("name", "n");
    rows.put(
        "PATCH application", row(application, id -> manager.patch("/applications/" + id, name)));
    rows.put(
        "regenerate application",
        row(application, id -> manager.post("/applications/" + id + "/regenerate")));
    rows.put("DELETE application", row(application, id -> manager.delete("/applications/" + id)));
    rows.put("applications by id", row(application, id -> manager.get("/applications?id=" + id)));
    rows.put("GET proxy", row(proxy, id -> manager.get("/proxies/" + id)));
    rows.put("PUT proxy", row(proxy, id -> manager.put("/proxies/" + id, proxyBody())));
    rows.put("PATCH proxy", row(proxy, id -> manager.patch("/proxies/" + id, name)));
    rows.put(
        "POST proxy test", row(proxy, id -> manager.post("/proxies/" + id + "/test", sample())));
    rows.put("DELETE proxy", row(proxy, id -> manager.delete("/proxies/" + id)));
    rows.put("proxies by id", row(proxy, id -> manager.get("/proxies?id=" + id)));
    rows.put(
        "POST proxy that names an application",
        row(application, id -> manager.post("/proxies", naming(id))));
    String ownProxy = own.proxy(proxyBody()).get("id").asText();
    rows.put(
        "PUT proxy that names an application",
        row(application, id -> manager.put("/proxies/" + ownProxy, naming(id))));
    rows.put(
        "POST proxy test that names an application",
        row(
            application,
            id ->
                manager.post(
                    "/proxies/" + ownProxy + "/test",
                    sample().set("application", Json.object("id", id)))));
    ObjectNode question = Json.object("permission", "token:read", "container", "/");
    rows.put(
        "explain access",
        row(
            application,
            id -> manager.post("/access/explain", question.put("application_id", id))));
    rows.put(
        "explain access to a token",
        row(
            foreignToken,
            id ->
                manager.post(
                    "/access/explain",
                    Json.object(
                        "application_id",
                        owner.id(),
                        "permission",
                        "token:read",
                        "token_id",
                        id))));
    ObjectNode change = Json.object("metadata", Json.object("k", "v"));
    rows.put("PATCH token", row(foreignToken, id -> owner.patch("/tokens/" + id, change)));
    rows.put(
        "search tokens",
        row(
            foreignToken,
            id -> owner.post("/tokens/search", Json.object("query", "id:\"" + id + "\""))));
    rows.put(
        "detokenize",
        row(foreignToken, id -> owner.post("/detokenize", Json.of("{{" + id + "}}"))));
    rows.put("GET token", row(foreignToken, id -> owner.get("/tokens/" + id)));
    rows.put("DELETE token", row(foreignToken, id -> owner.delete("/tokens/" + id)));
    rows.put("tokens by id", row(foreignToken, id -> owner.get("/tokens?id=" + id)));
    rows.put("logs by entity", row(application, id -> manager.get("/logs?entity_id=" + id)));
    rows.put(
        "logs by entity and type",
        row(foreignToken, id -> manager.get("/logs?entity_type=token&entity_id=" + id)));
    rows.put(
        "proxy key in the header",
        row(proxyKey, UNKNOWN_PROXY_KEY, key -> owner.call("POST", "/proxy").through(key).send()));
    rows.put(
        "proxy key in the query",
        row(proxyKey, UNKNOWN_PROXY_KEY, key -> owner.post("/proxy?svc-proxy-key=" + key)));
    rows.put(
        "token in a proxied body",
        row(
            foreignToken,
            id ->
                owner
                    .call("POST", "/proxy")
                    .to(DESTINATION.url())
                    .json(Json.object("card", "{{" + id + "}}"))
                    .send()));
    return rows.entrySet().stream()
        .map(row -> dynamicTest(row.getKey(), () -> row.getValue().check(this::foreignState)));
  }

  private static final String UNKNOWN_PROXY_KEY = "0".repeat(32);

  private JsonNode foreignState() {
    foreignApplication.get("/permissions").expect(200);
    ObjectNode application =
        (ObjectNode) other.management().get("/applications/" + foreignApplication.id()).json();
    // When it was last used comes at any time.
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
  void deletedTenantIsGoneAtOnceAndOthersRemain() {
    String token = owner.token("kept");
    TenantFixture gone = RunningVault.shared().newTenant();
    Client foreignOwner = gone.owner();
    String foreignToken = foreignOwner.token("x");
    JsonNode proxy = gone.proxy(proxyDraft(DESTINATION.url()).put("require_auth", false));
    TenantId deleted = new TenantId(UUID.fromString(gone.id()));

    assertThat(RunningVault.shared().backend().manageTenants().delete(deleted)).isTrue();

    gone.management().get("/applications").expectProblem(401, "unauthenticated");
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

    owner
        .call("POST", "/proxy")
        .to(DESTINATION.url())
        .json(Json.object("card", "{{shared-id}}"))
        .send()
        .expect(200);

    assertThat(DESTINATION.received().getBody().utf8()).isEqualTo("{\"card\":\"own\"}");
  }

  private static ObjectNode proxyBody() {
    return Json.object("name", "own", "destination_url", "https://api.example.com");
  }

  private static ObjectNode sample() {
    return Json.object("request", Json.object());
  }

  private static ObjectNode naming(String application) {
    return proxyBody().set("application", Json.object("id", application));
  }

  private static Row row(String foreign, Function<String, Response> request) {
    return row(foreign, UUID.randomUUID().toString(), request);
  }

  private static Row row(String foreign, String unknown, Function<String, Response> request) {
    return new Row(foreign, unknown, request);
  }

  /** A request with an id, sent with another tenant's and with one that nobody has. */
  private record Row(String foreign, String unknown, Function<String, Response> request) {

    void check(Supplier<JsonNode> state) {
      JsonNode before = state.get();
      Response answerToForeign = request.apply(foreign);
      Response answerToUnknown = request.apply(unknown);

      assertThat(comparable(answerToForeign)).isEqualTo(comparable(answerToUnknown));
      assertThat(answerToForeign.status()).isIn(200, 400, 404);
      assertThat(state.get()).isEqualTo(before);
    }

    /** All but the id that was sent and the trace. */
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
