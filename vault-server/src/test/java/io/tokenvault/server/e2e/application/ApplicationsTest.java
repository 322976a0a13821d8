package io.tokenvault.server.e2e.application;

import static io.tokenvault.server.e2e.fixture.TenantFixture.draft;
import static io.tokenvault.server.e2e.fixture.TenantFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Updates, lists and validation of applications over HTTP; documentation samples test the rest. */
class ApplicationsTest {

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client management = tenant.management();

  @Test
  void creationWithoutKeyIsRejected() {
    assertThat(create(minimal().put("create_key", true)).expect(201).text("key")).isNotBlank();
    create(minimal().put("create_key", false)).expectErrorsAt("create_key");
    create(minimal().put("create_key", "true")).expectErrorsAt("create_key");
  }

  @Test
  void updateResetsOmittedFieldsToDefaults() {
    ObjectNode draft = draft("private", "token:read").put("can_create_expiring_applications", true);
    draft.set("rules", Json.of(List.of(rule(3, "/a/", "reveal", "token:use"))));
    Response created = create(draft).expect(201);
    assertThat(created.get("can_create_expiring_applications").booleanValue()).isTrue();
    ObjectNode newRule = rule(1, "/b/", "redact", "token:search");

    Response updated =
        management
            .put(
                "/applications/" + created.text("id"),
                Json.object("name", "after", "rules", List.of(newRule)))
            .expect(200);

    assertThat(updated.text("name")).isEqualTo("after");
    assertThat(updated.json().get("permissions")).isEmpty();
    assertThat(updated.json().get("rules")).isEqualTo(Json.of(List.of(newRule)));
    assertThat(updated.json().has("can_create_expiring_applications")).isFalse();
    assertThat(management.get("/applications/" + created.text("id")).json())
        .isEqualTo(updated.json());
  }

  @Test
  void updateKeepsTypeKeyExpiryAndCreation() {
    Client child = tenant.application("expiring", "token:read");
    String path = "/applications/" + child.id();
    JsonNode created = management.get(path).expect(200).json();

    JsonNode updated =
        management
            .put(path, Json.object("name", "after", "permissions", List.of("token:read")))
            .expect(200)
            .json();

    for (String kept :
        List.of("id", "tenant_id", "type", "expires_at", "created_by", "created_at")) {
      assertThat(updated.get(kept)).as(kept).isNotNull().isEqualTo(created.get(kept));
    }
    child.get("/permissions").expect(200);
  }

  @Test
  void listIsFilteredByIdsAndTypes() {
    Client first = tenant.application("public", "token:create");
    Client second = tenant.application("private", "token:read");
    Client third = tenant.application("expiring", "token:read");

    assertThat(listed("?id=" + first.id() + "&id=" + second.id()))
        .containsExactly(second.id(), first.id());
    assertThat(listed("?type=expiring&type=public")).containsExactly(third.id(), first.id());
    assertThat(listed("?type=private&id=" + first.id())).isEmpty();
    assertThat(listed("?type=management")).containsExactly(management.id());
    assertThat(listed("?id=" + UUID.randomUUID())).isEmpty();
    management.get("/applications?id=no-uuid").expectErrorsAt("id");
    management.get("/applications?type=robot").expectErrorsAt("type");
  }

  private List<String> listed(String query) {
    return Json.each(management.get("/applications" + query).expect(200).get("data"), "id");
  }

  private Response create(JsonNode body) {
    return management.post("/applications", body);
  }

  private static ObjectNode minimal() {
    return draft("private", "token:read");
  }

  @Test
  void allErrorsAreReportedTogetherWithNamesButWithoutData() {
    Response response =
        create(
            Json.parse(
                """
                {'name': '', 'type': 'public', 'permissions': ['token:create', 'token:eat\\u202e'],
                 'rules': [
                   {'description': 'd', 'priority': 0, 'container': 'k9-secret', 'transform': 'show',
                    'permissions': ['token:create']},
                   {'priority': 1, 'conditions': [], 'transform': 'mask',
                    'permissions': ['token:update', 'token:read'], 'extra': 1}],
                 'expires_at': 'k9-secret', 'can_create_expiring_applications': true, 'nmae': 'x'}\
                """
                    .replace('\'', '"')));

    response.expectErrorsAt(
        "name",
        "permissions[1]",
        "rules[0].priority",
        "rules[0].container",
        "rules[0].transform",
        "rules[1].description",
        "rules[1].container",
        "rules[1].conditions",
        "rules[1].permissions[1]",
        "rules[1].extra",
        "expires_at",
        "can_create_expiring_applications",
        "nmae");
    assertThat(response.text("title")).isEqualTo("One or more validation errors occurred.");
    assertThat(response.errorsAt("permissions[1]"))
        .containsExactly("'token:eat\\u{202e}' is not the name of a permission");
    assertThat(response.errorsAt("rules[0].transform"))
        .containsExactly("must be one of redact, mask, reveal, not 'show'");
    assertThat(response.text()).doesNotContain("k9");
  }

  @Test
  void unknownAndMissingFieldsAreReportedTogether() {
    String path = "/applications/" + tenant.application("private", "token:read").id();
    create(Json.object("nmae", "x")).expectErrorsAt("name", "type", "error", "nmae");
    management.put(path, Json.object("nmae", "x")).expectErrorsAt("name", "error", "nmae");
    management
        .patch(path, Json.parse("{\"name\": null, \"nmae\": 1}"))
        .expectErrorsAt("name", "nmae");
  }
}
