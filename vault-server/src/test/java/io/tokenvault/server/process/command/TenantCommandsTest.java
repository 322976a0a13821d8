package io.tokenvault.server.process.command;

import static io.tokenvault.server.process.fixture.Operator.command;
import static io.tokenvault.server.process.fixture.Operator.http;
import static io.tokenvault.server.process.fixture.Operator.newTenant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.e2e.fixture.TenantFixture;
import io.tokenvault.server.environment.ProgramRun;
import io.tokenvault.server.process.fixture.CommandRun;
import io.tokenvault.server.process.fixture.Operator;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Tests that commands for tenants apply immediately on a running server. */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TenantCommandsTest {

  private static final String NAME = "Template \"ü\"";

  private JsonNode existing;

  @BeforeAll
  void createTenant() {
    existing = newTenant(NAME);
  }

  @Test
  void newTenantKeyWorksImmediatelyWithEveryManagementPermission() {
    CommandRun create = command("tenant", "create", "--name", "At once").expectExit(0);
    assertThat(create.out().lines()).hasSize(1);
    JsonNode issued = create.json();
    assertThat(create.err()).doesNotContain(issued.path("key").asText());
    JsonNode own = http(issued).get("/applications/key").json();
    assertThat(own.path("id")).isEqualTo(issued.path("application_id"));
    assertThat(own.path("tenant_id")).isEqualTo(issued.path("tenant_id"));
    JsonNode all = http(issued).get("/permissions?application_type=management").json();
    assertThat(Json.texts(own.path("permissions")))
        .containsExactlyInAnyOrderElementsOf(Json.each(all, "type"));
    assertThat(http(issued).get("/logs?operation=create").get("data"))
        .hasSize(2)
        .allSatisfy(TenantCommandsTest::assertActorIsSystem);
  }

  private static void assertActorIsSystem(JsonNode entry) {
    assertThat(Json.properties(entry, "actor_type", "actor_id")).containsExactly("system", "");
  }

  @Test
  void showPrintsTenantWithSettingsAndListAllTenants() {
    String id = existing.path("tenant_id").asText();
    JsonNode shown = command("tenant", "show", "--tenant", id).json();
    assertThat(Json.properties(shown, "tenant_id", "name")).containsExactly(id, NAME);
    String createdAt = shown.path("created_at").asText();
    assertThat(createdAt).endsWith("Z");
    assertThat(command("tenant", "list").lines())
        .extracting(line -> Json.properties(line, "tenant_id", "name", "created_at"))
        .contains(List.of(id, NAME, createdAt));
    assertThat(shown.path("ephemeral_proxy").asText()).isIn("on", "off");
    assertThat(shown.path("unbound_containers_by_url").asText()).isIn("on", "off");
    assertThat(
            command("tenant", "show", "--tenant", UUID.randomUUID().toString()).expectExit(1).err())
        .contains("No tenant has this id.");
  }

  @Test
  void resetKeyInvalidatesOldKeyImmediately() {
    JsonNode issued = newTenant("Reset");
    String id = issued.path("application_id").asText();
    CommandRun reset = resetKey(issued.path("tenant_id").asText(), id);
    JsonNode replaced = reset.json();
    assertThat(replaced.path("application_id")).isEqualTo(issued.path("application_id"));
    assertThat(reset.err()).doesNotContain(replaced.path("key").asText());
    assertThat(http(issued).status()).isEqualTo(401);
    assertThat(http(replaced).status()).isEqualTo(200);
    assertThat(http(replaced).get("/logs?operation=regenerate&entity_id=" + id).get("data"))
        .extracting(entry -> Json.properties(entry, "message", "actor_type", "actor_id"))
        .containsExactly(List.of("Application API key regenerated", "system", ""));
  }

  private static CommandRun resetKey(String tenant, String application) {
    return command("application", "reset-key", "--tenant", tenant, "--id", application);
  }

  @Test
  void applicationOfAnotherTenantIsNotReset() {
    String application = existing.path("application_id").asText();
    String other = UUID.randomUUID().toString();
    assertThat(resetKey(other, application).expectExit(1).out()).isEmpty();
    assertThat(http(existing).status()).isEqualTo(200);
  }

  @Test
  void deletionWithoutTerminalRequiresYes() {
    String tenant = existing.path("tenant_id").asText();
    String delete = "tenant delete --id " + tenant;
    for (String line : List.of(delete, delete + " --yes=false")) {
      assertThat(command(line.split(" ")).expectExit(2).err()).contains("--yes is required");
    }
    assertThat(http(existing).status()).isEqualTo(200);
  }

  @Tag("long")
  @Test
  void deletionAsksAtTheTerminal() {
    JsonNode issued = newTenant("Asked");
    assumeTrue(
        ProgramRun.of("script", "--version").isSuccess(),
        "script is missing: install util-linux (Debian: bsdutils)");

    String canceled = deleteAtTerminal(issued, "y");
    assertThat(canceled)
        .contains("This deletes tenant Asked (", "Type yes to continue: ", "nothing was changed");
    assertThat(http(issued).status()).isEqualTo(200);

    deleteAtTerminal(issued, "yes");
    assertThat(http(issued).status()).isEqualTo(401);
  }

  /** Runs the command in a pseudo terminal and returns its output. */
  private static String deleteAtTerminal(JsonNode issued, String typed) {
    String id = issued.path("tenant_id").asText();
    String command =
        String.join(" ", VaultProcess.command(List.of(), "256m", "tenant", "delete", "--id", id));
    String script = "echo \"$0\" | script -qec \"$1\" /dev/null";
    return VaultProcess.run(
            List.of("sh", "-c", script, typed, command), RunningVault.shared().settings())
        .out();
  }

  @Test
  void deletedTenantLosesKeysAndDataButKeepsLog() {
    JsonNode issued = newTenant("Deleted");
    String tenant = issued.path("tenant_id").asText();
    JsonNode draft = TenantFixture.draft("private", "token:create");
    JsonNode application = http(issued).post("/applications", draft).expect(201).json();
    http(application).token("x");
    command("tenant", "delete", "--id", tenant, "--yes").expectExit(0);
    assertThat(http(issued).status()).isEqualTo(401);
    assertThat(http(application).status()).isEqualTo(401);
    assertThat(command("tenant", "list").out()).doesNotContain(tenant);
    for (String table : List.of("tenant", "tenant_key", "application", "credential", "token")) {
      assertThat(rows(table, tenant)).as(table).isZero();
    }
    assertThat(rows("audit_entry", tenant)).isGreaterThanOrEqualTo(5);
    String deletion = "AND message = 'Tenant deleted' AND actor_type = 'system'";
    assertThat(rows("audit_entry", tenant, deletion)).isEqualTo(1);
    command("tenant", "delete", "--id", tenant, "--yes").expectExit(1);
  }

  private static long rows(String table, String tenant) {
    return rows(table, tenant, "");
  }

  private static long rows(String table, String tenant, String more) {
    String count = "SELECT count(*) FROM %s WHERE tenant_id = '%s' %s";
    return Long.parseLong(Operator.sql(count.formatted(table, tenant, more)));
  }
}
