package io.tokenvault.server.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

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
  void deletingEndsTheProxy() {
    String path = "/proxies/" + tenant.proxy(minimal()).get("id").asText();

    assertThat(management.delete(path).expect(204).bytes()).isEmpty();

    management.get(path).expectProblem(404, "not-found");
    management.delete(path).expectProblem(404, "not-found");
    management.put(path, minimal()).expectProblem(404, "not-found");
    assertThat(management.get("/proxies").get("data")).isEmpty();
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
}
