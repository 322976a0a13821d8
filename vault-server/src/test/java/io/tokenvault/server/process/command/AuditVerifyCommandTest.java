package io.tokenvault.server.process.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.e2e.fixture.Json;
import io.tokenvault.server.environment.Unchecked;
import io.tokenvault.server.process.fixture.CommandRun;
import io.tokenvault.server.process.fixture.DataDirectories;
import io.tokenvault.server.process.fixture.InProcessServer;
import io.tokenvault.server.process.fixture.Operator;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that {@code audit verify} finds changes of the audit log while a server runs. */
@Timeout(600)
final class AuditVerifyCommandTest {

  private static final String TENANT = DataDirectories.tenant().path("tenant_id").asText();

  private final Path data = DataDirectories.withTenant();
  private final Path checkpoints = data.resolve("checkpoints.jsonl");
  private final Path dump = data.resolve("dump.jsonl");
  private final Map<String, String> settings = DataDirectories.settings(data);
  @AutoClose private InProcessServer server;

  @BeforeEach
  void startServerWithEntries() {
    settings.put("VAULT_AUDIT_CHECKPOINTS", "file:" + checkpoints);
    settings.put("VAULT_AUDIT_CHECKPOINT_SECONDS", "1");
    server = InProcessServer.serve(settings);
    addEntries();
  }

  private void addEntries() {
    Client http = new Client(server.url(), DataDirectories.tenant());
    for (int i = 0; i < 5; i++) {
      http.get("/applications").expect(200);
    }
    VaultProcess.awaitThat(
        "all entries to be in the hash chain and in a checkpoint",
        () ->
            sql("""
            SELECT count(*) = (SELECT sum(cardinality(sequences)) FROM audit_seal)
            FROM audit_entry
            """)
                    .equals("t")
                && readCheckpoints().contains(sql(lastHead())));
  }

  private String readCheckpoints() {
    return Unchecked.get(() -> Files.exists(checkpoints) ? Files.readString(checkpoints) : "");
  }

  private static String lastHead() {
    return "SELECT encode(head, 'hex') FROM audit_seal WHERE tenant_id = '%s' ORDER BY number DESC"
        .formatted(TENANT);
  }

  private String sql(String statement) {
    return Operator.sql(data, statement);
  }

  private CommandRun audit(String... arguments) {
    return CommandRun.run(
        settings, Stream.concat(Stream.of("audit"), Stream.of(arguments)).toArray(String[]::new));
  }

  private CommandRun verify() {
    return verify(checkpoints);
  }

  private CommandRun verify(Path written) {
    return audit("verify", "--checkpoints", written.toString());
  }

  private static List<String> findings(CommandRun verified) {
    return verified
        .expectExit(1)
        .out()
        .lines()
        .map(Json::parse)
        .filter(line -> line.has("finding"))
        .map(line -> line.path("finding").asText())
        .toList();
  }

  private CommandRun verifyDump(String... more) {
    return audit(
        Stream.concat(Stream.of("verify", "--dump", dump.toString()), Stream.of(more))
            .toArray(String[]::new));
  }

  @Tag("long")
  @Test
  void unchangedLogIsIntactInDatabaseAndDumpAndAfterNewMasterKey() {
    List<JsonNode> lines = verify().lines();
    JsonNode count = lines.get(lines.size() - 1);
    assertThat(count.path("intact").asBoolean()).isTrue();
    assertThat(count.path("entries").asLong()).isGreaterThanOrEqualTo(5);
    assertThat(count.path("without_mac").asLong()).isZero();

    CommandRun.run(settings, "keys", "rotate-master", "add").expectExit(0);
    VaultProcess.awaitThat(
        "the node to have the new key",
        () -> CommandRun.run(settings, "keys", "rotate-master", "promote").exitCode() == 0);
    VaultProcess.awaitThat(
        "entries under the new key",
        () -> {
          addEntries();
          return sql("SELECT count(DISTINCT mac_key) FROM audit_entry").equals("2")
              && sql("SELECT count(DISTINCT mac_key) FROM audit_seal").equals("2");
        });
    verify().expectExit(0);

    String before = sql("SELECT to_json(clock_timestamp()) #>> '{}'");
    audit("dump", "--output", dump.toString()).expectExit(0);
    addEntries();
    server.close();
    verify().expectExit(0);
    String written = checkpoints.toString();
    assertThat(findings(verifyDump("--checkpoints", written))).containsExactly("tail_missing");
    verifyDump("--checkpoints", written, "--as-of", before).expectExit(0);
  }

  @Test
  void changedEntryLostTailAndForgedCheckpointAreFound() throws IOException {
    sql("ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_is_final");
    sql("ALTER TABLE audit_seal DISABLE TRIGGER audit_seal_is_final");
    String sequence =
        sql("SELECT max(sequence) FROM audit_entry WHERE tenant_id = '%s'".formatted(TENANT));
    String message = sql("SELECT message FROM audit_entry WHERE sequence = " + sequence);
    String change = "UPDATE audit_entry SET message = '%s' WHERE sequence = " + sequence;
    sql(change.formatted("Nothing happened"));
    assertChangeIsFound();
    sql(change.formatted(message));
    verify().expectExit(0);
    // The commands may have added entries; the lost tail has to be in a checkpoint.
    addEntries();
    assertLostTailIsFound();
    assertForgedCheckpointIsFound();
    audit("verify", "--tenant", "nobody").expectExit(2);
  }

  @Test
  void unknownTenantIsNotIntact() {
    CommandRun verified = audit("verify", "--tenant", new UUID(0, 0).toString()).expectExit(3);

    assertThat(verified.out()).isEmpty();
    assertThat(verified.err()).contains("The log has no entries of this tenant");
    audit("verify", "--tenant", TENANT).expectExit(0);
  }

  private void assertChangeIsFound() throws IOException {
    CommandRun verified = verify();
    assertThat(findings(verified)).containsExactly("entry_changed");
    JsonNode finding = Json.parse(verified.out().lines().findFirst().orElseThrow());
    assertThat(finding.path("tenant_id").asText()).isEqualTo(TENANT);
    assertThat(finding.path("seal").asText())
        .isEqualTo(sql("SELECT max(number) FROM audit_seal WHERE tenant_id = '" + TENANT + "'"));
    assertThat(verified.out()).doesNotContain("Nothing happened");

    audit("dump", "--output", dump.toString()).expectExit(0);
    assertThat(findings(verifyDump())).containsExactly("entry_changed");
    Files.writeString(dump, Files.readString(dump).replace("Nothing happened", "Something"));
    assertThat(findings(verifyDump())).containsExactly("entry_changed");
    List<String> lines = Files.readAllLines(dump);
    Files.write(dump, lines.subList(0, lines.size() - 1));
    assertThat(verifyDump().expectExit(3).err()).contains("The dump is incomplete");

    Files.writeString(dump, "something else");
    assertThat(verifyDump().expectExit(3).err()).contains("The file is not a dump.");
  }

  @Tag("long")
  @Test
  void unreadableRowsDoNotHideOtherFindings() throws IOException {
    sql("ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_is_final");
    sql("ALTER TABLE audit_seal DISABLE TRIGGER audit_seal_is_final");
    sql("ALTER TABLE audit_entry DROP CONSTRAINT audit_entry_usual_time");
    sql("ALTER TABLE audit_seal DROP CONSTRAINT audit_seal_usual_times");
    sql("ALTER TABLE audit_entry ALTER operation DROP NOT NULL");
    sql(newestEntry("created_at = 'infinity'"));
    sql(newestEntry("operation = NULL"));
    sql(newestEntry("message = 'Nothing happened'"));
    sql("UPDATE audit_seal SET times[1] = 'infinity' WHERE number = 1");
    String[] found = {
      "seal_changed",
      "entry_missing",
      "entry_changed",
      "entry_changed",
      "entry_missing",
      "entry_inserted",
      "entry_inserted"
    };
    assertThat(findings(audit("verify"))).containsExactlyInAnyOrder(found);

    audit("dump", "--output", dump.toString()).expectExit(0);
    assertThat(findings(verifyDump())).containsExactlyInAnyOrder(found);
    List<String> lines = new ArrayList<>(Files.readAllLines(dump));
    lines.set(lines.size() - 2, "something else");
    Files.write(dump, lines);
    assertThat(findings(verifyDump())).contains("dump_unreadable", "seal_changed", "entry_changed");
  }

  /** Returns an update of the newest entry that is still readable. */
  private static String newestEntry(String change) {
    return """
    UPDATE audit_entry SET %s
    WHERE sequence = (
      SELECT max(sequence) FROM audit_entry
      WHERE created_at < '10000-01-01Z' AND operation IS NOT NULL)
    """
        .formatted(change);
  }

  private void assertLostTailIsFound() {
    sql(
        """
        WITH gone AS (
          DELETE FROM audit_seal
          WHERE tenant_id = '%1$s'
            AND number = (SELECT max(number) FROM audit_seal WHERE tenant_id = '%1$s')
          RETURNING sequences)
        DELETE FROM audit_entry WHERE sequence IN (SELECT unnest(sequences) FROM gone)
        """
            .formatted(TENANT));
    audit("verify").expectExit(0);
    assertThat(findings(verify())).containsExactly("tail_missing");
  }

  /** Uses a copy, since the server still writes to the original file. */
  private void assertForgedCheckpointIsFound() throws IOException {
    Path forged = data.resolve("forged.jsonl");
    String lines = Files.readString(checkpoints);
    Files.writeString(forged, lines.replace("\"tenants\":1", "\"tenants\":2"));
    assertThat(findings(verify(forged))).contains("checkpoint_forged");
    Files.writeString(forged, "not a checkpoint\n");
    assertThat(verify(forged).expectExit(3).err()).contains("No checkpoint found.");
  }
}
