package io.tokenvault.server.e2e.application;

import static io.tokenvault.server.e2e.fixture.TenantFixture.condition;
import static io.tokenvault.server.e2e.fixture.TenantFixture.conditional;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Expiring applications, and the private applications that may create them. */
@Execution(ExecutionMode.CONCURRENT)
class ExpiringApplicationsTest {

  private final TenantFixture tenant = RunningVault.shared().newTenant();

  @Test
  void flaggedPrivateApplicationGrantsItsPermissionsToChildren() {
    Client parent = parent(List.of("token:read"), List.of());

    Response child = parent.post("/applications", expiring()).expect(201);

    assertThat(child.text("type")).isEqualTo("expiring");
    assertThat(child.text("created_by")).isEqualTo(parent.id());
    Client.of(RunningVault.shared(), child).get("/permissions").expect(200);
    parent.post("/applications", draft("private", "token:read")).expectErrorsAt("type");
    parent
        .post("/applications", draft("expiring", "token:create"))
        .expectErrorsAt("permissions[0]");
    parent
        .post("/applications", byRule("token:create", condition("id", "starts_with", "x")))
        .expectErrorsAt("rules[0].permissions[0]");
  }

  @Test
  void childSeesNoMoreThanItsCreator() {
    Client owner = tenant.owner();
    String masked = owner.token("one", "/masked/");
    String hidden = owner.token("two", "/hidden/");
    String shown = owner.token("three", "/shown/");
    Client parent =
        parent(
            List.of(),
            List.of(
                rule(1, "/masked/", "mask", "token:read"),
                rule(2, "/shown/", "reveal", "token:read")));

    Client child = childOf(parent, conditional(1, "reveal", everywhere(), "token:read"));

    assertThat(child.get("/tokens/" + masked).expect(200).json().has("data")).isFalse();
    assertThat(child.get("/tokens/" + shown).expect(200).text("data")).isEqualTo("three");
    child.get("/tokens/" + hidden).expectProblem(403, "forbidden");
    assertThat(Json.each(child.get("/tokens").expect(200).get("data"), "id"))
        .containsExactly(shown, masked);
    assertThat(child.get("/tokens").totalItems()).isEqualTo(2);
  }

  @Test
  void childOfManagementApplicationIsLimitedOnlyByOwnRules() {
    String token = tenant.owner().token("one", "/shown/");
    Client child = tenant.application(byRule("token:read", condition("id", "equals", token)));

    assertThat(child.get("/tokens/" + token).expect(200).text("data")).isEqualTo("one");
  }

  private Client parent(List<String> permissions, List<ObjectNode> rules) {
    ObjectNode draft = draft("private", rules).put("can_create_expiring_applications", true);
    return tenant.application(draft.set("permissions", Json.of(permissions)));
  }

  private static Client childOf(Client parent, ObjectNode rule) {
    Response child = parent.post("/applications", draft("expiring", List.of(rule)));
    return Client.of(RunningVault.shared(), child.expect(201));
  }

  private static List<JsonNode> everywhere() {
    return List.of(condition("container", "starts_with", "/"));
  }

  private static ObjectNode expiring() {
    return draft("expiring", "token:read");
  }

  private static ObjectNode byRule(String permission, JsonNode... conditions) {
    return draft("expiring", List.of(conditional(1, "reveal", List.of(conditions), permission)));
  }
}
