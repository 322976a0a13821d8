package io.tokenvault.server.process.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import io.tokenvault.server.environment.FreshPostgres;
import io.tokenvault.server.process.fixture.CommandRun;
import io.tokenvault.server.process.fixture.DataDirectories;
import io.tokenvault.server.process.fixture.DatabaseUnderTest;
import io.tokenvault.server.process.fixture.LoadDriver;
import io.tokenvault.server.process.fixture.ServerUnderLoad;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the commands that back up and restore the database. */
@Timeout(600)
final class BackupCommandsTest {

  private static final int CLIENTS = 2;

  /** Settings of a server that waits for a slow database instead of rejecting requests. */
  private static final Map<String, String> LONG_POOL_TIMEOUT =
      Map.of("VAULT_DATABASE_POOL_TIMEOUT_MS", "30000");

  @Tag("long")
  @Test
  void backupUnderLoadRestoresAllPreviouslyAcknowledgedData() {
    Path file = DataDirectories.fresh();
    try (DatabaseUnderTest fresh = DatabaseUnderTest.embedded();
        ServerUnderLoad vault =
            new ServerUnderLoad(DatabaseUnderTest.embedded(), LONG_POOL_TIMEOUT)) {
      LoadDriver load = vault.startLoad(CLIENTS);
      Map<String, String> before;
      String asOf;
      try (load) {
        VaultProcess.awaitThat("some tokens", () -> load.created().size() > 20);
        VaultProcess.awaitThat("a checkpoint", () -> vault.checkpointCount() > 0);
        before = Map.copyOf(load.created());
        CommandRun backup = vault.command("backup", file.toString());
        asOf = backup.json().path("as_of").asText();
        assertThat(backup.err()).contains("keys.json is not in the backup");
        // The backup may have one more token of each client, which was in flight.
        int createdBefore = load.created().size();
        VaultProcess.awaitThat(
            "tokens after the backup", () -> load.created().size() > createdBefore + CLIENTS);
      }
      assertThat(load.failures()).isZero();
      assertThat(DataDirectories.permissions(file)).isEqualTo("rw-------");

      vault.restoreInto(fresh, file);

      assertThat(countReadable(vault, before)).isEqualTo(before.size());
      String checkpoints = vault.checkpointFile().toString();
      vault.awaitHashChain();
      vault.command("audit", "verify", "--checkpoints", checkpoints, "--as-of", asOf);
      assertThat(fresh.selectLong("SELECT count(*) FROM token")).isLessThan(load.created().size());
      assertServiceContinues(vault);
      vault.command("audit", "verify");
    }
  }

  private static long countReadable(ServerUnderLoad vault, Map<String, String> tokens) {
    return tokens.entrySet().stream()
        .filter(
            each -> vault.owner().get("/tokens/" + each.getKey()).text().contains(each.getValue()))
        .count();
  }

  private static void assertServiceContinues(ServerUnderLoad vault) {
    LoadDriver later = vault.startLoad(1);
    later.close();
    assertThat(later.failures()).isZero();
    assertThat(vault.management().get("/logs?entity_type=tenant&size=1000").text())
        .contains("Backup created", "Backup restored");
    vault.awaitHashChain();
  }

  @Tag("long")
  @Test
  void restoreRequiresIntactBackupMatchingKeysetAndEmptyDatabase() throws IOException {
    Path original = DataDirectories.withTenant();
    Path file = Files.writeString(original.resolveSibling("vault.backup"), "mine");
    String[] list = {"tenant", "list"};
    String tenants;
    try (EmbeddedPostgres postgres =
        EmbeddedPostgres.start(original, original, new SecureRandom())) {
      assertThat(postgres.jdbcUrl()).as("the database of the commands").isNotEmpty();
      Map<String, String> settings = DataDirectories.settings(original);
      assertBackupRejectsUnusablePaths(settings, file);
      Files.delete(file);
      CommandRun.run(settings, "backup", file.toString()).expectExit(0);
      tenants = CommandRun.run(settings, list).expectExit(0).out();
    }
    Path keyset = original.resolve("master-keyset.json");
    byte[] content = Files.readAllBytes(file);
    assertDamagedBackupIsRejected(keyset, content);

    Path directory = DataDirectories.fresh();
    try (EmbeddedPostgres postgres = FreshPostgres.in(directory)) {
      assertThat(postgres.jdbcUrl()).as("the database of the commands").isNotEmpty();
      Map<String, String> target = settings(directory, keyset);
      CommandRun.run(target, "restore", file.toString()).expectExit(0);
      assertThat(CommandRun.run(target, list).out()).isEqualTo(tenants);
      CommandRun.run(target, "audit", "verify").expectExit(0);
      assertThat(CommandRun.run(target, "restore", file.toString()).expectExit(1).err())
          .contains("is in use");
    }
  }

  private static void assertBackupRejectsUnusablePaths(Map<String, String> settings, Path file) {
    assertThat(CommandRun.run(settings, "backup", file.toString()).expectExit(1).err())
        .contains("already");
    assertThat(file).hasContent("mine");
    Path nowhere = file.resolveSibling("no-directory").resolve("vault.backup");
    assertThat(CommandRun.run(settings, "backup", nowhere.toString()).expectExit(1).err())
        .contains("cannot be written");
    CommandRun.run(settings, "backup").expectExit(2);
    CommandRun.run(settings, "restore").expectExit(2);
  }

  /** Asserts that damaged backups are rejected before a database is created. */
  private static void assertDamagedBackupIsRejected(Path keyset, byte[] content)
      throws IOException {
    Path unused = DataDirectories.fresh();
    Map<String, String> target = settings(unused, keyset);
    assertThat(restoreError(target, Arrays.copyOf(content, content.length - 1)))
        .contains("truncated or changed");
    assertThat(restoreError(target, Arrays.copyOf(content, 100))).contains("not a backup");
    assertThat(restoreError(target, flipBit(content, content.length / 2))).contains("changed");
    assertThat(restoreError(target, flipBit(content, content.length - 1))).contains("changed");
    assertThat(restoreError(target, flipBit(content, 30))).contains("its header was changed");
    assertThat(restoreError(target, new byte[0])).contains("not a backup");
    Path other = unused.resolveSibling("other.json");
    CommandRun.run(Map.of(), "keys", "init", other.toString()).expectExit(0);
    assertThat(restoreError(settings(unused, other), content)).contains("another master keyset");
    assertThat(CommandRun.run(target, "restore", unused + ".gone").expectExit(1).err())
        .contains("cannot be read");
    assertThat(unused).doesNotExist();
  }

  private static Map<String, String> settings(Path directory, Path keyset) {
    return Map.of(
        "VAULT_DATA_DIR", directory.toString(), "VAULT_MASTER_KEYSET_FILE", keyset.toString());
  }

  private static byte[] flipBit(byte[] content, int index) {
    byte[] copy = content.clone();
    copy[index] ^= 1;
    return copy;
  }

  private static String restoreError(Map<String, String> settings, byte[] content)
      throws IOException {
    Path file = Files.write(DataDirectories.fresh(), content);
    return CommandRun.run(settings, "restore", file.toString()).expectExit(1).err();
  }
}
