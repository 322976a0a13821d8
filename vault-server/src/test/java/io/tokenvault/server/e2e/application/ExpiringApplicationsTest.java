package io.tokenvault.server.e2e.application;

import static io.tokenvault.server.e2e.fixture.TenantFixture.condition;
import static io.tokenvault.server.e2e.fixture.TenantFixture.conditional;
import static io.tokenvault.server.e2e.fixture.TenantFixture.rule;
import static java.time.ZoneOffset.UTC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Eventually;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.Tables;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Applications that end by themselves, and private ones that may make them. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Execution(ExecutionMode.CONCURRENT)
class ExpiringApplicationsTest {

  /** Long enough for a busy machine to use one before it ends. */
  private static final Duration SHORT = Duration.ofSeconds(5);

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Made first, so that the sweep that the last test waits for comes while the others run. */
  private static final TenantFixture SWEPT_TENANT = RunningVault.shared().newTenant();

  private static final String SWEPT_ID =
      Client.of(
              RunningVault.shared(),
              SWEPT_TENANT.management().post("/applications", expiringAfter(SHORT)))
          .id();

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client management = tenant.management();

  @Test
  void anExpiringApplicationLastsAMinuteUnlessSaidOtherwise() {
    Response created =
        management
            .post(
                "/applications",
                Json.object("name", "n", "type", "expiring", "permissions", List.of("token:read")))
            .expect(201);

    assertThat(time(created, "expires_at"))
        .isCloseTo(time(created, "created_at").plusMinutes(1), within(5, ChronoUnit.SECONDS));
  }

  @Test
  void anExpiryIsKeptToTheMicrosecondAndShownInUtc() {
    OffsetDateTime wanted =
        OffsetDateTime.now(ZoneOffset.ofHours(-3))
            .plusHours(2)
            .truncatedTo(ChronoUnit.SECONDS)
            .plusNanos(123_457_000);

    Response created = create(expiring(wanted)).expect(201);

    assertThat(time(created, "expires_at").toInstant()).isEqualTo(wanted.toInstant());
    assertThat(time(created, "expires_at").getOffset()).isEqualTo(UTC);
  }

  @Test
  void anExpiryThatWasAnsweredIsTheOneThatIsKept() {
    OffsetDateTime wanted = OffsetDateTime.now(UTC).plusHours(2).withNano(123_456_789);

    Response created = create(expiring(wanted)).expect(201);

    assertThat(management.get("/applications/" + created.text("id")).text("expires_at"))
        .isEqualTo(created.text("expires_at"));
    assertThat(time(created, "expires_at")).isCloseTo(wanted, within(1, ChronoUnit.MICROS));
  }

  @Test
  void anExpiryIsInTheFutureAndWithinOneDay() {
    OffsetDateTime now = OffsetDateTime.now(UTC);

    create(expiring(now.plusDays(1).minusMinutes(1))).expect(201);
    create(expiring(now.plusDays(1).plusMinutes(1))).expectErrorsAt("expires_at");
    create(expiring(now.minusMinutes(1))).expectErrorsAt("expires_at");
    create(expiring(now.minusYears(3000))).expectErrorsAt("expires_at");
  }

  @Test
  void anExpiryThatIsNoTimeIsRefused() {
    for (Object wrong : List.of("tomorrow", "", "2030-02-30T00:00:00Z", "2030-01-01", 1893456000)) {
      create(expiring(OffsetDateTime.now(UTC)).set("expires_at", Json.of(wrong)))
          .expectErrorsAt("expires_at");
    }
  }

  @Test
  void otherTypesDoNotExpire() {
    for (String type : List.of("private", "public", "management")) {
      String permission = type.equals("management") ? "log:read" : "token:create";
      create(
              Json.object(
                  "name",
                  "n",
                  "type",
                  type,
                  "permissions",
                  List.of(permission),
                  "expires_at",
                  OffsetDateTime.now(UTC).plusHours(1).toString()))
          .expectErrorsAt("expires_at");
    }
  }

  @Test
  void fromItsExpiryOnAnApplicationIsRefusedAndNotFound() {
    Client child = Client.of(RunningVault.shared(), create(expiringAfter(SHORT)).expect(201));
    String path = "/applications/" + child.id();
    child.get("/permissions").expect(200);
    management.get(path).expect(200);

    Eventually.holds(
        "its key is refused", PATIENCE, () -> child.get("/permissions").status() == 401);

    child.get("/permissions").expectProblem(401, "unauthenticated");
    management.get(path).expectProblem(404, "not-found");
    management
        .put(path, Json.object("name", "n", "permissions", List.of("token:read")))
        .expect(404);
    management.post(path + "/regenerate").expect(404);
    assertThat(management.get("/applications?id=" + child.id()).get("data")).isEmpty();
    assertThat(management.get("/applications").get("pagination").get("total_items").asInt())
        .isOne();
  }

  @Test
  void theUseOfAnExpiredKeyIsRecorded() throws SQLException {
    Client child = Client.of(RunningVault.shared(), create(expiringAfter(SHORT)).expect(201));
    // Once it is swept its key is one of nobody's.
    try (Tables tables = Tables.of(RunningVault.shared())) {
      tables.keep("application", "application_id", child.id());
      Eventually.holds(
          "its key is refused", PATIENCE, () -> child.get("/permissions").status() == 401);
    }

    assertThat(tenant.log())
        .anySatisfy(
            entry -> {
              assertThat(entry.path("actor_id").asText()).isEqualTo(child.id());
              assertThat(entry.path("message").asText()).contains("expired").contains("denied");
            });
  }

  @Test
  @Order(Integer.MAX_VALUE)
  void anExpiredApplicationIsSweptByTheServerItself() {
    JsonNode swept =
        Eventually.get(
            "the row is deleted, which is recorded",
            Duration.ofSeconds(60),
            () -> deletionOf(SWEPT_ID));

    assertThat(swept.path("actor_type").asText()).isEqualTo("system");
    assertThat(swept.path("entity_type").asText()).isEqualTo("application");
  }

  private static Optional<JsonNode> deletionOf(String id) {
    return StreamSupport.stream(SWEPT_TENANT.log().spliterator(), false)
        .filter(entry -> entry.path("entity_id").asText().equals(id))
        .filter(entry -> entry.path("operation").asText().equals("delete"))
        .findFirst();
  }

  @Test
  void aPrivateApplicationWithTheFlagMakesExpiringOnesWithWhatItHolds() {
    Client parent = parent(List.of("token:read"), List.of());

    Response child = parent.post("/applications", expiring()).expect(201);

    assertThat(child.text("type")).isEqualTo("expiring");
    assertThat(child.text("created_by")).isEqualTo(parent.id());
    Client.of(RunningVault.shared(), child).get("/permissions").expect(200);
  }

  @Test
  void whatItHoldsInARuleItMayGrantToo() {
    Client parent = parent(List.of(), List.of(rule(1, "/a/", "mask", "token:read")));

    parent.post("/applications", expiring()).expect(201);
    parent
        .post("/applications", byRule("token:read", condition("id", "starts_with", "x")))
        .expect(201);
  }

  @Test
  void whatItDoesNotHoldItCannotGrant() {
    Client parent = parent(List.of("token:use", "token:create"), List.of());

    parent.post("/applications", expiring()).expectErrorsAt("permissions[0]");
    parent
        .post("/applications", byRule("token:read", condition("id", "starts_with", "x")))
        .expectErrorsAt("rules[0].permissions[0]");
  }

  @Test
  void itMakesNoOtherTypes() {
    Client parent = parent(List.of("token:read"), List.of());

    for (String type : List.of("private", "public", "management")) {
      Response response =
          parent.post(
              "/applications",
              Json.object("name", "n", "type", type, "permissions", List.of("token:read")));
      response.expectProblem(400, "validation-failed");
      assertThat(response.errorsAt("type")).isNotEmpty();
    }
  }

  @Test
  void withoutTheFlagAPrivateApplicationMakesNone() {
    for (ObjectNode body :
        List.of(
            Json.object("name", "n", "type", "private", "permissions", List.of("token:read")),
            Json.object("name", "n", "type", "private", "permissions", List.of("token:read"))
                .put("can_create_expiring_applications", false))) {
      tenant.application(body).post("/applications", expiring()).expectProblem(403, "forbidden");
    }
  }

  @Test
  void theFlagGivesNoOtherRightToApplications() {
    Client parent = parent(List.of("token:read"), List.of());
    String child = parent.post("/applications", expiring()).expect(201).text("id");

    parent.get("/applications").expect(403);
    parent.get("/applications/" + child).expect(403);
    parent.delete("/applications/" + child).expect(403);
    parent.post("/applications/" + child + "/regenerate").expect(403);
  }

  @Test
  void aChildSeesNoMoreThanItsCreatorDoes() {
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
    assertThat(child.get("/tokens").get("pagination").get("total_items").asInt()).isEqualTo(2);
  }

  @Test
  void aChildSeesNoMoreThanItsOwnRulesAllow() {
    String token = tenant.owner().token("one", "/shown/");
    Client parent = parent(List.of(), List.of(rule(1, "/", "reveal", "token:read")));

    Client child = childOf(parent, conditional(1, "redact", everywhere(), "token:read"));

    assertThat(child.get("/tokens/" + token).expect(200).json().has("data")).isFalse();
  }

  @Test
  void aChildIsBoundByWhatItsCreatorMayDoNow() {
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
  void aChildWhoseCreatorIsGoneSeesNothing() {
    String token = tenant.owner().token("one", "/shown/");
    Client parent = parent(List.of(), List.of(rule(1, "/", "reveal", "token:read")));
    Client child = childOf(parent, conditional(1, "reveal", everywhere(), "token:read"));
    child.get("/tokens/" + token).expect(200);

    management.delete("/applications/" + parent.id()).expect(204);

    child.get("/tokens/" + token).expectProblem(403, "forbidden");
  }

  @Test
  void aChildOfAManagementApplicationIsBoundByItsOwnRulesOnly() {
    String token = tenant.owner().token("one", "/shown/");
    Client child =
        Client.of(
            RunningVault.shared(),
            management
                .post("/applications", byRule("token:read", condition("id", "equals", token)))
                .expect(201));

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
    return tenant.application(
        Json.object(
            "name",
            "parent",
            "type",
            "private",
            "permissions",
            permissions,
            "rules",
            rules,
            "can_create_expiring_applications",
            true));
  }

  private static Client childOf(Client parent, ObjectNode rule) {
    return Client.of(
        RunningVault.shared(),
        parent
            .post(
                "/applications",
                Json.object("name", "child", "type", "expiring", "rules", List.of(rule)))
            .expect(201));
  }

  private static List<JsonNode> everywhere() {
    return List.of(condition("container", "starts_with", "/"));
  }

  private Response create(JsonNode body) {
    return management.post("/applications", body);
  }

  private static ObjectNode expiring() {
    return Json.object("name", "child", "type", "expiring", "permissions", List.of("token:read"));
  }

  private static ObjectNode expiring(OffsetDateTime expiresAt) {
    return expiring().put("expires_at", expiresAt.toString());
  }

  private static ObjectNode expiringAfter(Duration duration) {
    return expiring(OffsetDateTime.now(UTC).plus(duration));
  }

  private static ObjectNode byRule(String permission, JsonNode... conditions) {
    return Json.object(
        "name",
        "child",
        "type",
        "expiring",
        "rules",
        List.of(conditional(1, "reveal", Stream.of(conditions).toList(), permission)));
  }

  private static OffsetDateTime time(Response response, String field) {
    return OffsetDateTime.parse(response.text(field));
  }
}
