package io.tokenvault.server.process.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import io.tokenvault.server.process.fixture.CommandRun;
import io.tokenvault.server.process.fixture.Directories;
import io.tokenvault.server.process.fixture.Http;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Commands while a server runs on the same directory: what they do holds on it at once. */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TenantCommandsTest {

  private Path data;
  private VaultProcess server;

  @BeforeAll
  void serve() {
    data = Directories.used();
    server = VaultProcess.serve(Directories.settings(data));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private CommandRun command(String... arguments) {
    return CommandRun.run(Directories.settings(data), arguments);
  }

  private VaultProcess process(String... arguments) {
    return VaultProcess.run(Directories.settings(data), arguments);
  }

  private JsonNode newTenant(String name) {
    return Http.json(command("tenant", "create", "--name", name).expectExit(0).out());
  }

  private Http http(JsonNode issued) {
    return new Http(server, issued.path("key").asText());
  }

  private static List<JsonNode> list(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }

  @Test
  void aNewTenantsKeyWorksAtOnceAndHoldsEveryManagementPermission() {
    VaultProcess create = process("tenant", "create", "--name", "At once").expectExit(0);
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
  void everyTenantIsListedOnALine() {
    List<JsonNode> lines =
        command("tenant", "list").expectExit(0).out().lines().map(Http::json).toList();
    assertThat(lines)
        .anySatisfy(
            line -> {
              assertThat(line.path("tenant_id")).isEqualTo(Directories.tenant().path("tenant_id"));
              assertThat(line.path("name").asText()).isEqualTo("Template \"ü\"");
              assertThat(line.path("created_at").asText()).endsWith("Z");
            });
  }

  @Test
  void showPrintsOneTenantWithItsSettings() {
    String id = Directories.tenant().path("tenant_id").asText();
    JsonNode shown = Http.json(command("tenant", "show", "--tenant", id).expectExit(0).out());
    assertThat(shown.path("tenant_id").asText()).isEqualTo(id);
    assertThat(shown.path("name").asText()).isEqualTo("Template \"ü\"");
    assertThat(shown.path("created_at").asText()).endsWith("Z");
    assertThat(shown.path("ephemeral_proxy").asText()).isIn("on", "off");
    assertThat(shown.path("unbound_containers_by_url").asText()).isIn("on", "off");
    assertThat(
            command("tenant", "show", "--tenant", UUID.randomUUID().toString()).expectExit(1).err())
        .contains("There is no tenant with this id.");
  }

  @Test
  void aResetKeyEndsTheOldOneAtOnce() {
    JsonNode issued = newTenant("Reset");
    VaultProcess reset =
        process(
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
  void anApplicationOfAnotherTenantIsNotReset() {
    String application = Directories.tenant().path("application_id").asText();
    String other = UUID.randomUUID().toString();
    CommandRun refused =
        command("application", "reset-key", "--tenant", other, "--id", application).expectExit(1);
    assertThat(refused.out()).isEmpty();
    assertThat(http(Directories.tenant()).status()).isEqualTo(200);
  }

  @Test
  void aTenantIsDeletedOnlyIfThatIsMeant() {
    String tenant = Directories.tenant().path("tenant_id").asText();
    command("tenant", "delete", "--id", tenant).expectExit(2);
    assertThat(http(Directories.tenant()).status()).isEqualTo(200);
  }

  @Test
  void aDeletedTenantsKeysAreDeadAtOnceAndItsLogStays() throws SQLException {
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

  @Test
  void aServerPrintsNothingThatIsSecret() {
    String marker = "planted-" + UUID.randomUUID();
    JsonNode application =
        Http.json(
            http(Directories.tenant())
                .post(
                    "/applications",
                    "{\"name\":\"a\",\"type\":\"private\",\"permissions\":"
                        + "[\"token:create\",\"token:use\"]}")
                .body());
    Http client = http(application);
    String token = "{\"type\":\"token\",\"data\":\"" + marker + "\"}";
    String id = Http.json(client.post("/tokens", token).body()).path("id").asText();
    assertThat(client.post("/tokens", token + marker).statusCode()).isEqualTo(400);
    assertThat(client.get("/tokens/" + marker + "?page=" + marker).statusCode()).isEqualTo(403);
    assertThat(new Http(server, marker).status()).isEqualTo(401);
    String body = "[\"{{" + id + "}}\"]";
    assertThat(client.invoke("https://nothing.invalid", marker, body).statusCode()).isEqualTo(502);
    assertThat(client.invoke("https://u:" + marker + "@a.test", marker, body).statusCode())
        .isEqualTo(400);
    assertThat(server.err() + server.out())
        .isNotEmpty()
        .doesNotContain(marker)
        .doesNotContain(application.path("key").asText())
        .doesNotContain(Directories.tenant().path("key").asText());
  }

  private long rows(String table, String tenant) throws SQLException {
    return rows(table, tenant, "");
  }

  private long rows(String table, String tenant, String more) throws SQLException {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.attach(data).orElseThrow();
        Connection connection =
            DriverManager.getConnection(
                postgres.jdbcUrl(), postgres.ownerUser(), postgres.ownerPassword());
        PreparedStatement count =
            connection.prepareStatement(
                "SELECT count(*) FROM " + table + " WHERE tenant_id = ? " + more)) {
      count.setObject(1, UUID.fromString(tenant));
      ResultSet row = count.executeQuery();
      row.next();
      return row.getLong(1);
    }
  }
}
