package io.tokenvault.server.e2e.application;

import static io.tokenvault.server.e2e.fixture.TenantFixture.condition;
import static io.tokenvault.server.e2e.fixture.TenantFixture.conditional;
import static io.tokenvault.server.e2e.fixture.TenantFixture.draft;
import static io.tokenvault.server.e2e.fixture.TenantFixture.rule;
import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Applications that end by themselves, and private ones that may make them. */
@Execution(ExecutionMode.CONCURRENT)
class ExpiringApplicationsTest {

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client management = tenant.management();

  @Test
  void applicationExpiresAfterOneMinuteByDefault() {
    Response created = create(expiring()).expect(201);

    assertThat(time(created, "expires_at"))
        .isCloseTo(time(created, "created_at").plusMinutes(1), within(5, ChronoUnit.SECONDS));
  }

  @Test
  void expiryIsStoredToMicrosecondAndShownInUtc() {
    OffsetDateTime wanted =
        OffsetDateTime.now(ZoneOffset.ofHours(-3)).plusHours(2).withNano(123_457_000);

    Response created = create(expiring(wanted)).expect(201);

    assertThat(time(created, "expires_at")).isEqualTo(wanted);
    assertThat(time(created, "expires_at").getOffset()).isEqualTo(UTC);
    assertThat(management.get("/applications/" + created.text("id")).text("expires_at"))
        .isEqualTo(created.text("expires_at"));
  }

  @Test
  void expiryMustBeInFutureAndWithinOneDay() {
    OffsetDateTime now = OffsetDateTime.now(UTC);

    create(expiring(now.plusDays(1).minusMinutes(1))).expect(201);
    create(expiring(now.plusDays(1).plusMinutes(1))).expectErrorsAt("expires_at");
    create(expiring(now.minusMinutes(1))).expectErrorsAt("expires_at");
    create(expiring(now.minusYears(3000))).expectErrorsAt("expires_at");
  }

  @Test
  void flaggedPrivateApplicationGrantsItsPermissionsToChildren() {
    Client parent = parent(List.of("token:read"), List.of());

    Response child = parent.post("/applications", expiring()).expect(201);

    assertThat(child.text("type")).isEqualTo("expiring");
    assertThat(child.text("created_by")).isEqualTo(parent.id());
    Client.of(RunningVault.shared(), child).get("/permissions").expect(200);
  }

  @Test
  void applicationCannotGrantPermissionItLacks() {
    Client parent = parent(List.of("token:use", "token:create"), List.of());

    parent.post("/applications", expiring()).expectErrorsAt("permissions[0]");
    parent
        .post("/applications", byRule("token:read", condition("id", "starts_with", "x")))
        .expectErrorsAt("rules[0].permissions[0]");
  }

  @Test
  void privateApplicationCreatesNoOtherTypes() {
    Client parent = parent(List.of("token:read"), List.of());

    for (String type : List.of("private", "public", "management")) {
      Response response = parent.post("/applications", draft(type, "token:read"));
      response.expectProblem(400, "validation-failed");
      assertThat(response.errorsAt("type")).isNotEmpty();
    }
  }

  @Test
  void unflaggedPrivateApplicationCreatesNone() {
    ObjectNode unflagged = draft("private", "token:read");
    ObjectNode flagged = unflagged.deepCopy().put("can_create_expiring_applications", false);
    for (ObjectNode body : List.of(unflagged, flagged)) {
      tenant.application(body).post("/applications", expiring()).expectProblem(403, "forbidden");
    }
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
  void childIsLimitedByCurrentPermissionsOfCreator() {
    String token = tenant.owner().token("one", "/shown/");
    Client parent = parent(List.of(), List.of(rule(1, "/", "reveal", "token:read")));
    Client child = childOf(parent, conditional(1, "reveal", everywhere(), "token:read"));
    assertThat(child.get("/tokens/" + token).expect(200).text("data")).isEqualTo("one");

    change(parent, rule(1, "/", "mask", "token:read"));
    assertThat(child.get("/tokens/" + token).expect(200).json().has("data")).isFalse();

    change(parent, rule(1, "/", "reveal", "token:use"));
    child.get("/tokens/" + token).expectProblem(403, "forbidden");

    change(parent, rule(1, "/", "reveal", "token:read"));
    assertThat(child.get("/tokens/" + token).expect(200).text("data")).isEqualTo("one");
  }

  @Test
  void childOfDeletedCreatorSeesNothing() {
    String token = tenant.owner().token("one", "/shown/");
    Client parent = parent(List.of(), List.of(rule(1, "/", "reveal", "token:read")));
    Client child = childOf(parent, conditional(1, "reveal", everywhere(), "token:read"));
    child.get("/tokens/" + token).expect(200);

    management.delete("/applications/" + parent.id()).expect(204);

    child.get("/tokens/" + token).expectProblem(403, "forbidden");
  }

  @Test
  void childOfManagementApplicationIsLimitedOnlyByOwnRules() {
    String token = tenant.owner().token("one", "/shown/");
    Client child = tenant.application(byRule("token:read", condition("id", "equals", token)));

    assertThat(child.get("/tokens/" + token).expect(200).text("data")).isEqualTo("one");
  }

  private void change(Client parent, ObjectNode rule) {
    management
        .put(
            "/applications/" + parent.id(),
            Json.object(
                "name", "parent", "rules", List.of(rule), "can_create_expiring_applications", true))
        .expect(200);
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

  private Response create(JsonNode body) {
    return management.post("/applications", body);
  }

  private static ObjectNode expiring() {
    return draft("expiring", "token:read");
  }

  private static ObjectNode expiring(OffsetDateTime expiresAt) {
    return expiring().put("expires_at", expiresAt.toString());
  }

  private static ObjectNode byRule(String permission, JsonNode... conditions) {
    return draft("expiring", List.of(conditional(1, "reveal", List.of(conditions), permission)));
  }

  private static OffsetDateTime time(Response response, String field) {
    return OffsetDateTime.parse(response.text(field));
  }
}
