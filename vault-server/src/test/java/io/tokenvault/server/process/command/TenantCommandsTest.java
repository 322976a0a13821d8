package io.tokenvault.server.process.command;

import static io.tokenvault.server.process.fixture.Operator.command;
import static io.tokenvault.server.process.fixture.Operator.http;
import static io.tokenvault.server.process.fixture.Operator.newTenant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.place.ProgramRun;
import io.tokenvault.server.process.fixture.CommandRun;
import io.tokenvault.server.process.fixture.Http;
import io.tokenvault.server.process.fixture.Operator;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.util.List;
import java.util.UUID;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Commands beside a server: what they do holds on it at once. */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TenantCommandsTest {

  private static final String NAME = "Template \"ü\"";

  private JsonNode existing;

  @BeforeAll
  void makeTenant() {
    existing = newTenant(NAME);
  }

  private static List<JsonNode> list(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }

  @Test
  void newTenantKeyWorksAtOnceWithEveryManagementPermission() {
    CommandRun create = command("tenant", "create", "--name", "At once").expectExit(0);
    assertThat(create.out().lines()).hasSize(1);
    JsonNode issued = Http.json(create.out());
    assertThat(create.err()).doesNotContain(issued.path("key").asText());
    JsonNode own = Http.json(http(issued).get("/applications/key").body());
    assertThat(own.path("id").asText()).isEqualTo(issued.path("application_id").asText());
    assertThat(own.path("tenant_id").asText()).isEqualTo(issued.path("tenant_id").asText());
    JsonNode all = Http.json(http(issued).get("/permissions?application_type=management").body());
    assertThat(list(own.path("permissions")).stream().map(JsonNode::asText))
        .containsExactlyInAnyOrderElementsOf(
            list(all).stream().map(each -> each.path("type").asText()).toList());
    assertThat(list(Http.json(http(issued).get("/logs").body()).path("data")))
        .filteredOn(entry -> entry.path("operation").asText().equals("create"))
        .hasSize(2)
        .allSatisfy(TenantCommandsTest::isOfTheSystem);
  }

  private static void isOfTheSystem(JsonNode entry) {
    assertThat(entry.path("actor_type").asText()).isEqualTo("system");
    assertThat(entry.has("actor_id")).isFalse();
  }

  @Test
  void everyTenantIsListedOnOneLine() {
    List<JsonNode> lines =
        command("tenant", "list").expectExit(0).out().lines().map(Http::json).toList();
    assertThat(lines)
        .anySatisfy(
            line -> {
              assertThat(line.path("tenant_id")).isEqualTo(existing.path("tenant_id"));
              assertThat(line.path("name").asText()).isEqualTo(NAME);
              assertThat(line.path("created_at").asText()).endsWith("Z");
            });
  }

  @Test
  void showPrintsOneTenantWithItsSettings() {
    String id = existing.path("tenant_id").asText();
    JsonNode shown = Http.json(command("tenant", "show", "--tenant", id).expectExit(0).out());
    assertThat(shown.path("tenant_id").asText()).isEqualTo(id);
    assertThat(shown.path("name").asText()).isEqualTo(NAME);
    assertThat(shown.path("created_at").asText()).endsWith("Z");
    assertThat(shown.path("ephemeral_proxy").asText()).isIn("on", "off");
    assertThat(shown.path("unbound_containers_by_url").asText()).isIn("on", "off");
    assertThat(
            command("tenant", "show", "--tenant", UUID.randomUUID().toString()).expectExit(1).err())
        .contains("No tenant has this id.");
  }

  @Test
  void resetKeyEndsTheOldOneAtOnce() {
    JsonNode issued = newTenant("Reset");
    CommandRun reset =
        command(
                "application",
                "reset-key",
                "--tenant",
                issued.path("tenant_id").asText(),
                "--id",
                issued.path("application_id").asText())
            .expectExit(0);
    JsonNode replaced = Http.json(reset.out());
    assertThat(replaced.path("application_id")).isEqualTo(issued.path("application_id"));
    assertThat(reset.err()).doesNotContain(replaced.path("key").asText());
    assertThat(http(issued).status()).isEqualTo(401);
    assertThat(http(replaced).status()).isEqualTo(200);
    assertThat(
            list(
                Http.json(
                        http(replaced)
                            .get("/logs?entity_id=" + issued.path("application_id").asText())
                            .body())
                    .path("data")))
        .filteredOn(entry -> entry.path("operation").asText().equals("regenerate"))
        .hasSize(1)
        .allSatisfy(TenantCommandsTest::isOfTheSystem);
  }

  @Test
  void applicationOfAnotherTenantIsNotReset() {
    String application = existing.path("application_id").asText();
    String other = UUID.randomUUID().toString();
    CommandRun refused =
        command("application", "reset-key", "--tenant", other, "--id", application).expectExit(1);
    assertThat(refused.out()).isEmpty();
    assertThat(http(existing).status()).isEqualTo(200);
  }

  @Test
  void deletionWithoutTerminalRequiresYes() {
    String tenant = existing.path("tenant_id").asText();
    for (String option : List.of("--yes=false", "")) {
      List<String> command = List.of("tenant", "delete", "--id=" + tenant, option);
      CommandRun refused =
          command(command.stream().filter(each -> !each.isEmpty()).toArray(String[]::new));
      assertThat(refused.expectExit(2).err()).contains("--yes is required");
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

  /** Runs the command on a pseudo terminal, and returns its screen. */
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
  void deletedTenantsKeysAreDeadAtOnceAndItsLogStays() {
    JsonNode issued = newTenant("Deleted");
    String tenant = issued.path("tenant_id").asText();
    JsonNode application =
        Http.json(
            http(issued)
                .post(
                    "/applications",
                    "{\"name\":\"a\",\"type\":\"private\",\"permissions\":[\"token:create\"]}")
                .body());
    assertThat(
            http(application).post("/tokens", "{\"type\":\"token\",\"data\":\"x\"}").statusCode())
        .isEqualTo(201);
    command("tenant", "delete", "--id", tenant, "--yes").expectExit(0);
    assertThat(http(issued).status()).isEqualTo(401);
    assertThat(http(application).status()).isEqualTo(401);
    assertThat(command("tenant", "list").out()).doesNotContain(tenant);
    for (String table : List.of("tenant", "tenant_key", "application", "credential", "token")) {
      assertThat(rows(table, tenant)).as(table).isZero();
    }
    assertThat(rows("audit_entry", tenant)).isGreaterThanOrEqualTo(5);
    assertThat(rows("audit_entry", tenant, "AND operation = 'delete' AND actor_type = 'system'"))
        .isEqualTo(1);
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
