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
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Updates and lists of proxies over HTTP; documentation samples test the rest. */
class ProxiesTest {

  private static final String URL = "https://api.example.com/base?v=1";

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client management = tenant.management();

  @Test
  void updateResetsOmittedFieldsToDefaults() {
    Client application = tenant.application("public", "token:create");
    JsonNode created =
        tenant.proxy(
            minimal()
                .put("require_auth", false)
                .<ObjectNode>set("application", Json.object("id", application.id()))
                .set("configuration", Json.object("a", "1")));
    assertThat(created.get("require_auth").booleanValue()).isFalse();
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

  private static ObjectNode minimal() {
    return TenantFixture.proxyDraft(URL);
  }
}
