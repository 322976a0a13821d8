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

/** Permissions and access rules decide which tokens an application sees, and how. */
class AccessRulesTest {

  private static final String SECRET = "secret";

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client owner = tenant.owner();
  private final String pci = owner.token(SECRET, "/pci/high/");
  private final String pci2 = owner.token(SECRET, "/pci2/");
  private final String general = owner.token(SECRET);
  private final String inTwoContainers = owner.token(SECRET, "/pci/low/", "/other/");

  @Test
  void ruleAppliesOnlyUnderItsContainer() {
    Client reader =
        tenant.applicationWithRules(
            rule(1, "/pci/high/", "reveal", "token:read"),
            rule(2, "/pci/low/", "redact", "token:read"),
            rule(3, "/general/", "mask", "token:read"));

    assertDataVisible(reader, pci);
    assertDataHidden(reader, inTwoContainers, general);
    reader.get("/tokens/" + pci2).expectProblem(403, "forbidden");
  }

  @Test
  void listIncludesTokensUnderReadAndOthersUnderSearch() {
    Client reader =
        tenant.applicationWithRules(
            rule(1, "/pci/high/", "redact", "token:read"),
            rule(2, "/pci/", "reveal", "token:search"),
            rule(3, "/general/", "mask", "token:search"));

    JsonNode list = reader.get("/tokens").expect(200).get("data");

    assertThat(Json.each(list, "id")).containsExactly(inTwoContainers, general, pci);
    assertThat(list.get(0).path("data").asText()).isEqualTo(SECRET);
    assertThat(list.get(1).has("data")).isFalse();
    assertThat(list.get(2).has("data")).isFalse();
    reader.get("/tokens/" + inTwoContainers).expect(403);
  }

  @Test
  void expiringApplicationSeesTokensMeetingAllRuleConditions() {
    String named = owner.token(tokenIn("/pci/").put("id", "tok-named"));
    Client reader =
        expiring(
            conditional(
                1,
                "reveal",
                List.of(
                    condition("id", "starts_with", "tok-"),
                    condition("container", "starts_with", "/pci/")),
                "token:read"),
            conditional(2, "mask", List.of(condition("id", "equals", pci)), "token:read"));

    assertDataVisible(reader, named);
    assertDataHidden(reader, pci);
    reader.get("/tokens/" + inTwoContainers).expectProblem(403, "forbidden");
    assertThat(Json.each(reader.get("/tokens").expect(200).get("data"), "id"))
        .containsExactly(named, pci);
  }

  private Client expiring(ObjectNode... rules) {
    return tenant.application(draft("expiring", List.of(rules)));
  }

  private static ObjectNode tokenIn(String... containers) {
    return Json.object("type", "token", "data", SECRET).set("containers", Json.of(containers));
  }

  private static void assertDataVisible(Client reader, String... tokens) {
    for (String token : tokens) {
      assertThat(reader.get("/tokens/" + token).expect(200).text("data")).isEqualTo(SECRET);
    }
  }

  private static void assertDataHidden(Client reader, String... tokens) {
    for (String token : tokens) {
      Response response = reader.get("/tokens/" + token).expect(200);
      assertThat(response.json().has("data")).isFalse();
      assertThat(response.text()).doesNotContain(SECRET);
    }
  }

  @Test
  void creationAndDeletionRequirePermissionOnContainers() {
    Client writer =
        tenant.applicationWithRules(rule(1, "/pci/", "redact", "token:create", "token:delete"));

    writer.post("/tokens", tokenIn("/pci/", "/pci/low/")).expect(201);
    for (ObjectNode token : List.of(tokenIn("/pci/", "/other/"), tokenIn("/pci2/"))) {
      writer.post("/tokens", token).expectProblem(403, "forbidden");
    }
    writer.delete("/tokens/" + pci).expect(204);
    for (String token : List.of(pci2, general)) {
      writer.delete("/tokens/" + token).expectProblem(403, "forbidden");
      owner.get("/tokens/" + token).expect(200);
    }
    owner.get("/tokens/" + pci).expect(404);
    assertThat(owner.get("/tokens").totalItems()).isEqualTo(4);
  }

  @Test
  void explanationReportsDecisionAndEveryRule() {
    Client reader =
        tenant.applicationWithRules(
            rule(2, "/pci/", "mask", "token:read"),
            rule(1, "/pii/", "reveal", "token:read"),
            rule(3, "/", "reveal", "token:create"));

    Response response = explain(reader, "token:read").expect(200);

    assertThat(response.text("decision")).isEqualTo("allow");
    assertThat(response.text("transform")).isEqualTo("mask");
    assertThat(response.text("reason")).isEqualTo("rule 2 'rule 2' allows it (mask)");
    assertThat(Json.each(response.get("application").path("rules"), "outcome"))
        .containsExactly("passed_over", "decides", "not_reached");
    assertThat(Json.each(response.get("application").path("rules"), "priority"))
        .containsExactly("1", "2", "3");
    assertThat(response.json().has("creator")).isFalse();
    assertThat(response.text()).doesNotContain(SECRET);
    assertThat(explain(reader, "token:use").expect(200).text("decision")).isEqualTo("deny");
  }

  private Response explain(Client reader, String permission) {
    return tenant
        .management()
        .post(
            "/access/explain",
            Json.object("application_id", reader.id(), "permission", permission, "token_id", pci));
  }
}
