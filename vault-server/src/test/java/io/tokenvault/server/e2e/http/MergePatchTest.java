package io.tokenvault.server.e2e.http;

import static io.tokenvault.server.e2e.fixture.TenantFixture.draft;
import static io.tokenvault.server.e2e.fixture.TenantFixture.rule;
import static io.tokenvault.server.e2e.fixture.TenantFixture.transformingDraft;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.ConcurrentRequests;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Merge patches of applications and proxies. */
class MergePatchTest {

  private static final String URL = "https://api.example.com/base";
  private static final String CODE = "module.exports = async ({args}) => args;";

  // Shared by all tests, since a tenant's first transform starts workers.
  private static final TenantFixture TENANT = RunningVault.shared().newTenant();

  private final Client management = TENANT.management();

  private String application() {
    ObjectNode draft = draft("private", "token:use").put("can_create_expiring_applications", true);
    draft.set("rules", Json.of(List.of(rule(1, "/", "mask", "token:read"))));
    return "/applications/" + TENANT.application(draft).id();
  }

  private String proxy() {
    ObjectNode draft = transformingDraft(URL, CODE).put("require_auth", false);
    draft.put("timeout_ms", 1000);
    draft.put("application_id", TENANT.application("private", "token:use").id());
    draft.set("configuration", Json.object("a", "1", "b", "2"));
    return path(TENANT.proxy(draft));
  }

  private static String path(JsonNode proxy) {
    return "/proxies/" + proxy.get("id").asText();
  }

  /** Returns a resource without the properties about its last change and use. */
  private static ObjectNode stable(JsonNode resource) {
    return ((ObjectNode) resource.deepCopy())
        .remove(List.of("modified_by", "modified_at", "last_used_at"));
  }

  private ObjectNode read(String path) {
    return stable(management.get(path).expect(200).json());
  }

  @Test
  void patchKeepsOmittedProperties() {
    for (String path : List.of(application(), proxy())) {
      ObjectNode before = read(path);
      for (String type : List.of("application/merge-patch+json", "application/json")) {
        Response patched =
            management.call("PATCH", path).body(type, "{\"name\":\"" + type + "\"}").send();

        assertThat(stable(patched.expect(200).json())).isEqualTo(before.put("name", type));
        assertThat(patched.text("modified_by")).isEqualTo(management.id());
        assertThat(read(path)).isEqualTo(before);
      }
      assertThat(stable(management.patch(path, "{}").expect(200).json())).isEqualTo(before);
    }
  }

  @Test
  void nullResetsPropertyToItsDefault() {
    ObjectNode application = Json.object();
    application.putNull("permissions").putNull("can_create_expiring_applications");
    JsonNode patched = management.patch(application(), application).expect(200).json();
    assertThat(patched.get("permissions")).isEmpty();
    assertThat(patched.get("rules")).hasSize(1);
    assertThat(patched.has("can_create_expiring_applications")).isFalse();

    ObjectNode proxy = Json.object("configuration", Json.object().putNull("a").put("c", "3"));
    proxy.putNull("require_auth").putNull("timeout_ms").putNull("application_id");
    proxy.putNull("request_transform");
    patched = management.patch(proxy(), proxy).expect(200).json();
    assertThat(patched.get("configuration")).isEqualTo(Json.object("b", "2", "c", "3"));
    assertThat(patched.get("require_auth").booleanValue()).isTrue();
    assertThat(Json.names(patched))
        .doesNotContain("timeout_ms", "application_id", "request_transform");
  }

  @Test
  void patchWithUnknownFieldIsRejected() {
    for (String path : List.of(application(), proxy())) {
      JsonNode before = read(path);
      management.patch(path, Json.object("nmae", "new")).expectErrorsAt("nmae");
      management.patch(path, Json.object().putNull("nmae")).expectErrorsAt("nmae");
      assertThat(read(path)).isEqualTo(before);
    }
  }

  @Test
  void applicationOfProxyIsPatchedByEitherName() {
    String path = proxy();
    String other = TENANT.application("public", "token:create").id();
    String third = TENANT.application("private", "token:use").id();

    assertThat(applicationAfter(path, Json.object("application", Json.object("id", other))))
        .isEqualTo(other);
    assertThat(applicationAfter(path, Json.object("application", Json.object()))).isEqualTo(other);
    assertThat(applicationAfter(path, Json.object("application_id", third))).isEqualTo(third);
    management
        .patch(path, Json.object("application_id", third, "application", Json.object("id", other)))
        .expectErrorsAt("application_id");
    assertThat(applicationAfter(path, Json.object().putNull("application"))).isNull();
    assertThat(applicationAfter(path, Json.object().putNull("application"))).isNull();
  }

  private String applicationAfter(String path, JsonNode patch) {
    management.patch(path, patch).expect(200);
    return read(path).path("application_id").asText(null);
  }

  @Test
  void patchOfProxyContentsRequiresReadPermission() {
    Client updater = TENANT.application("management", "proxy:update");
    String path = proxy();
    JsonNode before = read(path);

    updater.patch(path(TENANT.proxy(URL)), Json.object("name", "new")).expect(200);
    Response denied = updater.patch(path, Json.object("destination_url", "https://other.example"));

    assertThat(denied.expectProblem(403, "forbidden").text())
        .contains("proxy:read")
        .doesNotContain(CODE);
    assertThat(read(path)).isEqualTo(before);
    assertThat(TENANT.messages("actor_id=" + updater.id()))
        .containsExactly("Denied: missing permission proxy:read", "Proxy updated");
  }

  @Test
  void concurrentPatchesAreAllApplied() {
    String path = path(TENANT.proxy(URL));
    List<Callable<Response>> patches = new ArrayList<>();
    ObjectNode expected = Json.object();
    for (String each : List.of("a", "b", "c", "d", "e")) {
      expected.put(each, each);
      patches.add(
          () -> management.patch(path, Json.object("configuration", Json.object(each, each))));
    }

    ConcurrentRequests.send(patches).forEach(response -> response.expect(200));

    assertThat(read(path).get("configuration")).isEqualTo(expected);
  }
}
