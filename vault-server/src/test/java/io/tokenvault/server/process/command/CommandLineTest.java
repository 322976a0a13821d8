package io.tokenvault.server.process.command;

import static io.tokenvault.server.process.fixture.CommandRun.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.server.cli.RootCommand;
import io.tokenvault.server.process.fixture.CommandRun;
import io.tokenvault.server.process.fixture.DataDirectories;
import io.tokenvault.server.process.fixture.VaultProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests exit codes, usage, and configuration errors of commands. */
@Timeout(600)
final class CommandLineTest {

  private static final Map<String, String> NONE = Map.of();

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "no-such-command",
        "tenant create",
        "tenant delete --id 00000000-0000-0000-0000-000000000000",
        "keys init",
        "transform test",
        "transform test no-such-file.js --request no-such-file.json"
      })
  void invalidCommandLineExitsWithTwoAndPrintsUsage(String arguments) {
    CommandRun wrong = run(NONE, arguments.split(" ")).expectExit(2);
    assertThat(wrong.err()).contains("vault-server");
    assertThat(wrong.out()).isEmpty();
  }

  @Test
  void processSeparatesOutputsAndReturnsExitCodes() {
    VaultProcess help = VaultProcess.run(NONE, "--help").expectExit(0);
    assertThat(help.out()).contains("Usage: vault-server").contains("serve");
    assertThat(help.err()).isEmpty();
    VaultProcess wrong = VaultProcess.run(NONE, "tenant", "create").expectExit(2);
    assertThat(wrong.err()).contains("vault-server");
    assertThat(wrong.out()).isEmpty();
  }

  @Test
  void lostResultIsFailure() throws IOException {
    OutputStream closed = OutputStream.nullOutputStream();
    closed.close();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    assertThat(RootCommand.run(NONE, new SecureRandom(), closed, err, "--version")).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("closed or full");
  }

  @Test
  void limitOfOpenFilesThatIsTooLowIsExplained() {
    assertThat(VaultProcess.runWithDescriptors(32, "--help").expectExit(1).err())
        .contains("ulimit -n");
  }

  @Test
  void keysInitCreatesOwnerOnlyFileOrReportsTheReason() throws IOException {
    Path file = directory.resolve("keys.json");
    CommandRun first = run(NONE, "keys", "init", file.toString()).expectExit(0);
    String content = Files.readString(file);
    assertThat(DataDirectories.permissions(file)).isEqualTo("rw-------");
    assertThat(first.out() + first.err()).doesNotContain("value", content);
    CommandRun second = run(NONE, "keys", "init", file.toString()).expectExit(1);
    assertThat(second.err()).contains(file.toString());
    assertThat(Files.readString(file)).isEqualTo(content);
    String nowhere = directory.resolve("no/such/place/keys.json").toString();
    CommandRun failed = run(NONE, "keys", "init", nowhere).expectExit(1);
    assertThat(failed.err()).contains(nowhere).doesNotContain("Internal error");
  }

  @ParameterizedTest
  @ValueSource(strings = {"serve", "tenant list"})
  void invalidConfigurationIsReportedInFullAndExitsWithThree(String command) throws IOException {
    Path properties =
        Files.writeString(directory.resolve("vault.properties"), "VAULT_PROXY_IDLE_TIMEOUT_MS=0\n");
    Map<String, String> settings =
        Map.of(
            "VAULT_CONFIG_FILE", properties.toString(),
            "VAULT_PORT", "eighty",
            "VAULT_PROT", "8080",
            "VAULT_HOST", "0.0.0.0",
            "VAULT_DATABASE_URL", "jdbc:postgresql://127.0.0.1:1/vault",
            "VAULT_DATABASE_USER", "x",
            "VAULT_DATABASE_PASSWORD_FILE", "/no/such/file",
            "VAULT_DATA_DIR", directory.resolve("data").toString());
    CommandRun refused = run(settings, command.split(" ")).expectExit(3);
    assertThat(refused.err())
        .contains(
            "VAULT_PROXY_IDLE_TIMEOUT_MS ",
            "VAULT_PORT ",
            "VAULT_PROT ",
            "VAULT_HOST ",
            "VAULT_MASTER_KEYSET_FILE ",
            "VAULT_DATABASE_PASSWORD_FILE ");
    assertThat(refused.out()).isEmpty();
    assertThat(directory.resolve("data")).doesNotExist();
  }

  @Test
  void tenantNameIsValidatedBeforeAnythingStarts() {
    Path data = directory.resolve("data");
    CommandRun refused =
        run(DataDirectories.settings(data), "tenant", "create", "--name", " ").expectExit(1);
    assertThat(refused.err()).contains("name").doesNotContain("Internal error");
    assertThat(data).doesNotExist();
  }
}
