package io.tokenvault.server.e2e.application;

import static io.tokenvault.server.e2e.fixture.TenantFixture.rule;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.Response;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import org.junit.jupiter.api.Test;

/** Explanations of access decisions, for clients that may read applications. */
final class ExplainAccessTest {

  private static final String PATH = "/access/explain";

  private final TenantFixture tenant = RunningVault.shared().newTenant();
  private final Client management = tenant.management();
  private final Client client =
      tenant.applicationWithRules(
          rule(2, "/pci/", "mask", "token:read"),
          rule(1, "/pii/", "reveal", "token:read"),
          rule(3, "/", "reveal", "token:create"));

  private Response explainForToken(String permission, String token) {
    return management.post(
        PATH,
        Json.object("application_id", client.id(), "permission", permission, "token_id", token));
  }

  @Test
  void decisionAndEveryRuleAreReported() {
    String token = client.token("4242-planted", "/pci/high/");

    Response response = explainForToken("token:read", token).expect(200);

    assertThat(response.text("decision")).isEqualTo("allow");
    assertThat(response.text("transform")).isEqualTo("mask");
    assertThat(response.text("reason")).isEqualTo("rule 2 'rule 2' allows it (mask)");
    assertThat(Json.each(response.get("application").path("rules"), "outcome"))
        .containsExactly("passed_over", "decides", "not_reached");
    assertThat(Json.each(response.get("application").path("rules"), "priority"))
        .containsExactly("1", "2", "3");
    assertThat(response.json().has("creator")).isFalse();
    assertThat(response.text()).doesNotContain("4242-planted");
    assertThat(explainForToken("token:use", token).expect(200).text("decision")).isEqualTo("deny");
  }
}
