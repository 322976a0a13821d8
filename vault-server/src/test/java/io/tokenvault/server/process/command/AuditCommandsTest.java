package io.tokenvault.server.process.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import io.tokenvault.server.process.fixture.CommandRun;
import io.tokenvault.server.process.fixture.Directories;
import io.tokenvault.server.process.fixture.Http;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** The log's export and the end of its retention, on the command line beside a server. */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AuditCommandsTest {

  private static final String TENANT = Directories.tenant().path("tenant_id").asText();

  private final Path data = Directories.used();
  private VaultProcess server;
  private Http http;

  @BeforeAll
  void start() throws SQLException {
    server = VaultProcess.serve(Directories.settings(data));
    http = new Http(server, Directories.tenant().path("key").asText());
    asOwner(
        "INSERT INTO audit_entry (tenant_id, created_at, entity_type, entity_id, operation,"
            + " message) SELECT '"
            + TENANT
            + "', '2024-01-31T12:00:00Z'::timestamptz + i * interval '1 hour', 'log', '*', 'read',"
            + " 'old ' || i FROM generate_series(1, 13) i",
        "SELECT ensure_audit_partitions(2)");
    for (int i = 0; i < 5; i++) {
      assertThat(http.get("/applications").statusCode()).isEqualTo(200);
    }
    VaultProcess.awaitThat("sealed entries", () -> messages("--until", "2024-02-02").size() == 13);
    VaultProcess.awaitThat("all sealed entries", () -> messages().size() >= 18);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private void asOwner(String... statements) throws SQLException {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.attach(data).orElseThrow();
        Connection connection =
            DriverManager.getConnection(
                postgres.jdbcUrl(), postgres.ownerUser(), postgres.ownerPassword());
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private CommandRun command(String... arguments) {
    return CommandRun.run(Directories.settings(data), arguments);
  }

  private CommandRun export(String... options) {
    List<String> arguments = new ArrayList<>(List.of("audit", "export"));
    arguments.addAll(Arrays.asList(options));
    return command(arguments.toArray(String[]::new));
  }

  private static List<JsonNode> lines(CommandRun command) {
    return lines(command.expectExit(0).out());
  }

  private static List<JsonNode> lines(String out) {
    return out.lines().map(Http::json).toList();
  }

  private List<String> messages(String... options) {
    return lines(export(options)).stream().map(line -> line.path("message").asText()).toList();
  }

  @Test
  void whoGoesOnAfterAnyLineGetsExactlyTheRest() {
    CommandRun first = export().expectExit(0);
    List<JsonNode> all = lines(first.out());
    assertThat(all)
        .hasSizeGreaterThanOrEqualTo(18)
        .allSatisfy(line -> assertThat(line.path("log").asText()).isEqualTo("audit"))
        .allSatisfy(line -> assertThat(line.path("tenant_id").asText()).isEqualTo(TENANT));
    String last = all.get(all.size() - 1).path("position").asText();
    assertThat(first.err()).contains("--since " + last);
    VaultProcess.awaitThat(
        "the seal of that export", () -> messages("--since", last).contains("Log exported"));
    for (int i : new int[] {0, 7, all.size() - 2}) {
      List<JsonNode> rest = lines(export("--since", all.get(i).path("position").asText()));
      List<JsonNode> expected = all.subList(i + 1, all.size());
      assertThat(rest).startsWith(expected.toArray(JsonNode[]::new));
      assertThat(rest.subList(expected.size(), rest.size()))
          .extracting(line -> line.path("message").asText())
          .doesNotContain("old 1")
          .contains("Log exported");
    }
  }

  @Test
  void datesAndTenantsRestrict() {
    assertThat(messages("--since", "2024-02-01", "--until", "2024-02-01T01:00:00Z"))
        .containsExactly("old 12");
    assertThat(messages("--until", "2024-01-31T14:00:00+01:00")).isEmpty();
    assertThat(messages("--tenant", TENANT, "--until", "2024-02-01")).hasSize(11);
    assertThat(messages("--tenant", UUID.randomUUID().toString())).isEmpty();
  }

  @Test
  void anExportIsInTheLogOfTheTenant() {
    lines(export("--until", "2024-02-02"));
    JsonNode newest =
        Http.json(http.get("/logs?entity_type=log&size=1").body()).path("data").path(0);
    assertThat(newest.path("message").asText()).isEqualTo("Log exported");
    assertThat(newest.path("actor_type").asText()).isEqualTo("system");
  }

  @Test
  void aFileIsNewAndItsOwnersOnly() throws IOException {
    Path file = data.resolveSibling("log.jsonl");
    CommandRun written = export("--until", "2024-02-02", "--output", file.toString());
    assertThat(written.expectExit(0).out()).isEmpty();
    assertThat(Files.readAllLines(file)).hasSize(13);
    assertThat(Directories.permissions(file)).isEqualTo("rw-------");
    CommandRun refused = export("--output", file.toString()).expectExit(1);
    assertThat(refused.err()).contains("already").doesNotContain("fault of the program");
    assertThat(Files.readAllLines(file)).hasSize(13);
  }

  @Test
  void whatIsNeitherADateNorAPositionIsRefused() {
    for (String wrong : List.of("yesterday", "2024-02-30", "2024-02-01T00:00:00", "1", "1.2.3")) {
      assertThat(export("--since", wrong).expectExit(2).err()).contains("2025-01-31");
    }
    assertThat(export("--until", "1.1").expectExit(2).out()).isEmpty();
    assertThat(export("--since", "99999999.1").expectExit(1).err()).contains("after the end");
    assertThat(command("audit", "drop", "--before", "2024-13").expectExit(2).err())
        .contains("YYYY-MM");
    command("audit", "drop").expectExit(2);
  }

  @Test
  void aMonthThatIsNotOverIsNotDropped() {
    assertThat(command("audit", "drop", "--before", "2999-01").expectExit(1).err())
        .contains("not over");
    assertThat(lines(command("audit", "drop", "--before", "2023-01"))).isEmpty();
  }

  @Test
  void anOldMonthIsDroppedOnceShownBeforeAndRecorded() throws SQLException {
    asOwner(
        "INSERT INTO audit_entry (tenant_id, created_at, entity_type, entity_id, operation,"
            + " message) VALUES ('"
            + TENANT
            + "', '2023-05-05T12:00:00Z', 'log', '*', 'read', 'very old')",
        "SELECT ensure_audit_partitions(2)");
    String[] drop = {"audit", "drop", "--before", "2023-06"};
    VaultProcess.awaitThat("a sealed entry", () -> messages("--until", "2023-06-01").size() == 1);

    List<JsonNode> shown = lines(command("audit", "drop", "--before", "2023-06", "--dry-run"));
    assertThat(shown).extracting(line -> line.path("month").asText()).containsExactly("2023-05");
    assertThat(shown.get(0).path("sealed").asBoolean()).isTrue();
    assertThat(shown.get(0).path("dropped").asBoolean()).isFalse();
    assertThat(messages("--until", "2023-06-01")).containsExactly("very old");

    List<JsonNode> dropped = lines(command(drop));
    assertThat(dropped).hasSize(1);
    assertThat(dropped.get(0).path("entries").asLong()).isEqualTo(1);
    assertThat(dropped.get(0).path("dropped").asBoolean()).isTrue();
    assertThat(lines(command(drop))).isEmpty();
    // What the test planted has no MAC.
    command("audit", "verify", "--without-mac-until", "2999-01-01").expectExit(0);
    assertThat(messages("--until", "2023-06-01")).isEmpty();
    assertThat(http.get("/logs?entity_type=log&size=10").body())
        .containsOnlyOnce("Log of 2023-05 dropped");
    assertThat(server.err()).doesNotContain("ERROR");
  }
}
