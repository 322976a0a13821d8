package io.tokenvault.server.process.command;

import static io.tokenvault.server.process.fixture.Operator.command;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.faults.SmallDisk;
import io.tokenvault.server.process.fixture.CommandRun;
import io.tokenvault.server.process.fixture.DataDirectories;
import io.tokenvault.server.process.fixture.Operator;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the commands that export the audit log and drop old months, while a server runs. */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AuditCommandsTest {

  @TempDir private Path directory;
  private JsonNode tenant;

  @BeforeAll
  void createOldEntries() {
    tenant = Operator.newTenant("Log");
    plant("'2024-01-31T12:00:00Z'::timestamptz + i * interval '1 hour', 'old ' || i", 13);
    for (int i = 0; i < 5; i++) {
      Operator.http(tenant).get("/applications").expect(200);
    }
    awaitHashChain();
  }

  private void awaitHashChain() {
    String sealed =
        "SELECT count(*) = 0 FROM audit_entry WHERE tenant_id = '%1$s' AND sequence NOT IN"
            + " (SELECT unnest(sequences) FROM audit_seal WHERE tenant_id = '%1$s')";
    VaultProcess.awaitThat(
        "all entries to be in the hash chain",
        () -> "t".equals(Operator.sql(sealed.formatted(tenantId()))));
  }

  /** Inserts entries of earlier months, which have no MAC. */
  private void plant(String timeAndMessage, int count) {
    Operator.sql(
        "INSERT INTO audit_entry (tenant_id, entity_type, entity_id, operation, created_at,"
            + " message) SELECT '%s', 'log', '*', 'read', %s FROM generate_series(1, %d) i"
                .formatted(tenantId(), timeAndMessage, count));
    Operator.sql("SELECT ensure_audit_partitions(2)");
  }

  private String tenantId() {
    return tenant.path("tenant_id").asText();
  }

  private CommandRun export(String... options) {
    return command(
        Stream.concat(Stream.of("audit", "export", "--tenant", tenantId()), Stream.of(options))
            .toArray(String[]::new));
  }

  private List<String> messages(String... options) {
    return export(options).lines().stream().map(line -> line.path("message").asText()).toList();
  }

  @Test
  void exportAfterAnyPositionReturnsExactlyTheRest() {
    CommandRun first = export();
    List<JsonNode> all = first.lines();
    assertThat(all)
        .hasSizeGreaterThanOrEqualTo(18)
        .allSatisfy(line -> assertThat(line.path("log").asText()).isEqualTo("audit"))
        .allSatisfy(line -> assertThat(line.path("tenant_id").asText()).isEqualTo(tenantId()));
    awaitHashChain();
    String end = first.err().strip().replaceFirst(".*--since ", "");
    assertThat(export("--since", end).lines())
        .doesNotContainAnyElementsOf(all)
        .anyMatch(line -> line.path("message").asText().equals("Log exported"));
    for (int i : new int[] {7, all.size() - 2}) {
      List<JsonNode> rest = export("--since", all.get(i).path("position").asText()).lines();
      List<JsonNode> expected = all.subList(i + 1, all.size());
      assertThat(rest).startsWith(expected.toArray(JsonNode[]::new));
      assertThat(rest.subList(expected.size(), rest.size()))
          .extracting(line -> line.path("message").asText())
          .doesNotContain("old 1")
          .contains("Log exported");
    }
  }

  @Test
  void exportIsFilteredByDateAndTenant() {
    assertThat(messages("--since", "2024-02-01", "--until", "2024-02-01T01:00:00Z"))
        .containsExactly("old 12");
    assertThat(messages("--until", "2024-01-31T14:00:00+01:00")).isEmpty();
    String unknownTenant = UUID.randomUUID().toString();
    assertThat(command("audit", "export", "--tenant", unknownTenant).lines()).isEmpty();
  }

  @Test
  void exportCreatesOwnerOnlyFileAndIsRecorded() throws IOException {
    Path file = directory.resolve("log.jsonl");
    CommandRun written = export("--until", "2024-02-02", "--output", file.toString());
    assertThat(written.expectExit(0).out()).isEmpty();
    assertThat(Files.readAllLines(file)).hasSize(13);
    assertThat(DataDirectories.permissions(file)).isEqualTo("rw-------");
    JsonNode newest = Operator.http(tenant).get("/logs?entity_type=log&size=1").get("data").get(0);
    assertThat(Json.properties(newest, "message", "actor_type"))
        .containsExactly("Log exported", "system");
    CommandRun refused = export("--output", file.toString()).expectExit(1);
    assertThat(refused.err()).contains("already").doesNotContain("Internal error");
    assertThat(Files.readAllLines(file)).hasSize(13);
  }

  @ParameterizedTest
  @ValueSource(strings = {"audit dump --output", "audit export --output", "backup"})
  void fullDiskIsReportedAndHoldsNoPart(String copy) throws IOException {
    try (SmallDisk disk = SmallDisk.mount(1)) {
      disk.fill();
      String file = disk.directory().resolve("copy").toString();
      CommandRun full = command((copy + " " + file).split(" ")).expectExit(1);
      assertThat(full.err()).contains("cannot be written");
      disk.freeSpace();
      assertThat(disk.directory()).isEmptyDirectory();
    }
  }

  @Test
  void invalidDatesAndPositionsAreRejected() {
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
  void oldMonthIsDroppedOnceAndRecorded() {
    assertThat(command("audit", "drop", "--before", "2999-01").expectExit(1).err())
        .contains("not over");
    plant("'2023-05-05T12:00:00Z'::timestamptz, 'very old'", 1);
    String[] drop = {"audit", "drop", "--before", "2023-06"};
    awaitHashChain();

    List<JsonNode> shown = command("audit", "drop", "--before", "2023-06", "--dry-run").lines();
    assertThat(shown)
        .extracting(line -> Json.properties(line, "month", "sealed", "dropped"))
        .containsExactly(List.of("2023-05", "true", "false"));
    assertThat(messages("--until", "2023-06-01")).containsExactly("very old");

    assertThat(command(drop).lines())
        .extracting(line -> Json.properties(line, "entries", "dropped"))
        .containsExactly(List.of("1", "true"));
    assertThat(command(drop).lines()).isEmpty();
    // The planted entries have no MAC.
    command("audit", "verify", "--tenant", tenantId(), "--without-mac-until", "2999-01-01")
        .expectExit(0);
    assertThat(messages("--until", "2023-06-01")).isEmpty();
    assertThat(Operator.http(tenant).get("/logs?entity_type=log&size=10").text())
        .containsOnlyOnce("Log of 2023-05 dropped");
  }
}
