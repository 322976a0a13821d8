package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The five endpoints of pre-configured proxies. */
class ProxiesTest {

  private static final String URL = "https://api.example.com/base?v=1";

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client management = tenant.management();

  @Test
  void creationReturnsWholeProxyAndLocation() {
    Client application = tenant.application("private", "token:use");
    Response created =
        create(
                minimal()
                    .put("require_auth", false)
                    .<ObjectNode>set("application", Json.object("id", application.id()))
                    .set("configuration", Json.object("merchant", "m-1", "\u00fc", "")))
            .expect(201);

    assertThat(created.header("Location")).hasValue("/proxies/" + created.text("id"));
    assertThat(Json.names(created.json()))
        .containsExactlyInAnyOrder(
            "id",
            "tenant_id",
            "name",
            "key",
            "destination_url",
            "require_auth",
            "application_id",
            "configuration",
            "created_by",
            "created_at");
    assertThat(UUID.fromString(created.text("id"))).isNotNull();
    assertThat(created.text("tenant_id")).isEqualTo(tenant.id());
    assertThat(created.text("name")).isEqualTo("proxy");
    assertThat(created.text("key")).matches("[0-9A-Za-z]{32}");
    assertThat(created.text("destination_url")).isEqualTo(URL);
    assertThat(created.get("require_auth").booleanValue()).isFalse();
    assertThat(created.text("application_id")).isEqualTo(application.id());
    assertThat(created.get("configuration"))
        .isEqualTo(Json.object("merchant", "m-1", "\u00fc", ""));
    assertThat(created.text("created_by")).isEqualTo(management.id());
    assertThat(OffsetDateTime.parse(created.text("created_at")).getOffset())
        .isEqualTo(ZoneOffset.UTC);
  }

  @Test
  void proxyRequiresKeyByDefault() {
    Response created = create(minimal()).expect(201);

    assertThat(created.get("require_auth").booleanValue()).isTrue();
    assertThat(Json.names(created.json()))
        .doesNotContain(
            "application_id",
            "timeout_ms",
            "client_certificate",
            "request_transform",
            "response_transform",
            "modified_by",
            "modified_at");
    assertThat(create(minimal().putNull("require_auth")).expect(201).get("require_auth"))
        .isEqualTo(Json.of(true));
  }

  @Test
  void timeoutIsReturnedUntilUpdateOmitsIt() {
    Response created = create(minimal().put("timeout_ms", 600_000)).expect(201);
    String path = "/proxies/" + created.text("id");

    assertThat(created.get("timeout_ms")).isEqualTo(Json.of(600_000));
    assertThat(management.get(path).expect(200).json()).isEqualTo(created.json());
    assertThat(management.put(path, minimal().put("timeout_ms", 1)).get("timeout_ms"))
        .isEqualTo(Json.of(1));
    assertThat(management.put(path, minimal()).expect(200).json().has("timeout_ms")).isFalse();
    assertThat(management.get(path).expect(200).json().has("timeout_ms")).isFalse();
  }

  @Test
  void createdProxyIsReturnedUnchangedWithKey() {
    JsonNode created =
        tenant.proxy(minimal().set("configuration", Json.object("a", "1", "b", "2")));

    assertThat(management.get("/proxies/" + created.get("id").asText()).expect(200).json())
        .isEqualTo(created);
    assertThat(management.get("/proxies").expect(200).get("data"))
        .isEqualTo(Json.of(List.of(created)));
  }

  @Test
  void updatingReplacesWhatWasLeftOutByItsDefault() {
    Client application = tenant.application("public", "token:create");
    JsonNode created =
        tenant.proxy(
            minimal()
                .put("require_auth", false)
                .<ObjectNode>set("application", Json.object("id", application.id()))
                .set("configuration", Json.object("a", "1")));
    String path = "/proxies/" + created.get("id").asText();
    Client editor = tenant.application("management", "proxy:update");

    Response updated =
        editor
            .put(path, Json.object("name", "new", "destination_url", "https://b.example.com:8443"))
            .expect(200);

    assertThat(updated.text("name")).isEqualTo("new");
    assertThat(updated.text("destination_url")).isEqualTo("https://b.example.com:8443");
    assertThat(updated.get("require_auth").booleanValue()).isTrue();
    assertThat(updated.json().has("application_id")).isFalse();
    assertThat(updated.get("configuration")).isEmpty();
    for (String kept : List.of("id", "tenant_id", "key", "created_by", "created_at")) {
      assertThat(updated.get(kept)).as(kept).isEqualTo(created.get(kept));
    }
    assertThat(updated.text("modified_by")).isEqualTo(editor.id());
    assertThat(OffsetDateTime.parse(updated.text("modified_at")))
        .isAfter(OffsetDateTime.parse(updated.text("created_at")));
    assertThat(management.get(path).expect(200).json()).isEqualTo(updated.json());
  }

  @Test
  void updateIsValidatedLikeCreationAndChangesNothingIfRejected() {
    JsonNode created = tenant.proxy(minimal());
    String path = "/proxies/" + created.get("id").asText();

    management
        .put(path, Json.object("name", "", "destination_url", "http://x.example.com", "more", 1))
        .expectErrorsAt("name", "destination_url", "more");

    assertThat(management.get(path).json()).isEqualTo(created);
  }

  @Test
  void deletingEndsTheProxy() {
    String path = "/proxies/" + tenant.proxy(minimal()).get("id").asText();

    assertThat(management.delete(path).expect(204).bytes()).isEmpty();

    management.get(path).expectProblem(404, "not-found");
    management.delete(path).expectProblem(404, "not-found");
    management.put(path, minimal()).expectProblem(404, "not-found");
    assertThat(management.get("/proxies").get("data")).isEmpty();
  }

  @Test
  void unknownMalformedAndForeignIdsAreNotFound() {
    String elsewhere = RunningVault.shared().newTenant().proxy(minimal()).get("id").asText();

    for (String id : List.of(UUID.randomUUID().toString(), "no-uuid", elsewhere)) {
      String path = "/proxies/" + id;
      List.of(management.get(path), management.put(path, minimal()), management.delete(path))
          .forEach(response -> response.expectProblem(404, "not-found"));
    }
  }

  @TestFactory
  Stream<DynamicTest> invalidNewProxyIsRejectedByField() {
    Map<String, JsonNode> wrong = new LinkedHashMap<>();
    wrong.put("blank -> name", minimal().put("name", "\u2003"));
    wrong.put("201 characters -> name", minimal().put("name", "n".repeat(201)));
    wrong.put("missing -> destination_url", minimal().without("destination_url"));
    wrong.put("number -> require_auth", minimal().put("require_auth", 0));
    wrong.put("not settable -> key", minimal().put("key", "k"));
    wrong.put("none at all -> timeout_ms", minimal().put("timeout_ms", 0));
    wrong.put("too long -> timeout_ms", minimal().put("timeout_ms", 600_001));
    wrong.put("not set up -> client_certificate", minimal().put("client_certificate", "x"));
    wrong.put("text -> configuration", minimal().put("configuration", "a=b"));
    wrong.put("number -> configuration.a", configured(Json.object("a", 1)));
    wrong.put("no name -> configuration", configured(Json.object("", "v")));
    wrong.put("101 entries -> configuration", configured(entries(101)));
    wrong.put("without id -> application.id", minimal().set("application", Json.object("x", 1)));
    wrong.put("no UUID -> application.id", naming("no-uuid"));
    return wrong.entrySet().stream()
        .map(
            each ->
                dynamicTest(
                    each.getKey(),
                    () -> create(each.getValue()).expectErrorsAt(each.getKey().split(" -> ")[1])));
  }

  @Test
  void proxyAcceptsPublicOrPrivateApplicationOfItsTenant() {
    TenantFixture other = RunningVault.shared().newTenant();

    create(naming(tenant.application("public", "token:create").id())).expect(201);
    create(naming(tenant.application("private", "token:use").id())).expect(201);
    create(naming(tenant.application("expiring", "token:read").id()))
        .expectErrorsAt("application.id");
    create(naming(management.id())).expectErrorsAt("application.id");
    Response unknown = create(naming(UUID.randomUUID().toString()));
    Response foreign = create(naming(other.application("private", "token:use").id()));
    unknown.expectErrorsAt("application.id");
    foreign.expectErrorsAt("application.id");
    assertThat(foreign.get("errors")).isEqualTo(unknown.get("errors"));
  }

  @TestFactory
  Stream<DynamicTest> nameSearchTreatsStarAsWildcard() {
    named("Payments", "payments EU", "Shop.payments", "100%", "a_b", "a*b", "[x]", "\u00dcber");
    Map<String, List<String>> searches = new LinkedHashMap<>();
    searches.put("payments", List.of("Payments", "payments EU", "Shop.payments"));
    searches.put("*pay*eu*", List.of("payments EU"));
    searches.put("%25", List.of("100%"));
    searches.put("_", List.of("a_b"));
    searches.put("a*b", List.of("a_b", "a*b"));
    searches.put("%C3%BC", List.of("\u00dcber"));
    searches.put(
        "*",
        List.of(
            "Payments", "payments EU", "Shop.payments", "100%", "a_b", "a*b", "[x]", "\u00dcber"));
    return searches.entrySet().stream()
        .map(
            each ->
                dynamicTest(
                    each.getKey(),
                    () ->
                        assertThat(names("?name=" + each.getKey()))
                            .containsExactlyInAnyOrderElementsOf(each.getValue())));
  }

  @Test
  void listIsNewestFirstPagedAndFilteredByIds() {
    List<String> ids = named("one", "two", "three");

    assertThat(names("")).containsExactly("three", "two", "one");
    assertThat(names("?size=2&page=2")).containsExactly("one");
    assertThat(names("?id=" + ids.get(0) + "&id=" + ids.get(2))).containsExactly("three", "one");
    assertThat(names("?id=" + ids.get(0) + "&name=two")).isEmpty();
    assertThat(names("?id=" + UUID.randomUUID())).isEmpty();
    management.get("/proxies?id=1").expectErrorsAt("id");
    management.get("/proxies?name=t*&size=1").expectPage(1, 1, 2, 2);
  }

  private List<String> named(String... names) {
    return Stream.of(names)
        .map(name -> tenant.proxy(minimal().put("name", name)).get("id").asText())
        .toList();
  }

  private List<String> names(String query) {
    return Json.each(management.get("/proxies" + query).expect(200).get("data"), "name");
  }

  private Response create(JsonNode body) {
    return management.post("/proxies", body);
  }

  private static ObjectNode minimal() {
    return TenantFixture.proxyDraft(URL);
  }

  private static JsonNode configured(JsonNode configuration) {
    return minimal().set("configuration", configuration);
  }

  private static JsonNode naming(String applicationId) {
    return minimal().set("application", Json.object("id", applicationId));
  }

  private static ObjectNode entries(int count) {
    return Json.of(
            IntStream.range(0, count)
                .boxed()
                .collect(Collectors.toMap(i -> "name " + i, i -> "value " + i)))
        .deepCopy();
  }
}
