package io.tokenvault.server.process.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import io.tokenvault.server.e2e.fixture.Client;
import io.tokenvault.server.environment.FreshPostgres;
import io.tokenvault.server.process.fixture.CommandRun;
import io.tokenvault.server.process.fixture.DataDirectories;
import io.tokenvault.server.process.fixture.InProcessServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** Tests a server with an external database. */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ExternalDatabaseTest {

  private final Path directory = DataDirectories.fresh();
  @AutoClose private final EmbeddedPostgres postgres = FreshPostgres.in(directory);

  private Map<String, String> settings(Path keyset) throws IOException {
    Path password = directory.resolveSibling("password");
    Files.writeString(password, postgres.runtimePassword() + "\n");
    Map<String, String> settings = DataDirectories.settings(postgres, keyset);
    settings.remove("VAULT_DATABASE_PASSWORD");
    settings.put("VAULT_DATABASE_PASSWORD_FILE", password.toString());
    settings.put("VAULT_DATA_DIR", directory.resolveSibling("unused").toString());
    settings.put("VAULT_PORT", "0");
    return settings;
  }

  @Tag("long")
  @Test
  void serverRequiresExistingKeysetAndCreatesNoFirstTenant() throws IOException {
    Path keyset = directory.resolveSibling("keys.json");
    Map<String, String> settings = settings(keyset);
    CommandRun refused = CommandRun.run(settings, "serve").expectExit(3);
    assertThat(refused.err()).contains(keyset.toString(), "keys init");
    assertThat(keyset).doesNotExist();

    CommandRun.run(Map.of(), "keys", "init", keyset.toString()).expectExit(0);
    try (InProcessServer server = InProcessServer.serve(settings)) {
      assertThat(CommandRun.run(settings, "tenant", "list").expectExit(0).out()).isEmpty();
      JsonNode issued = CommandRun.run(settings, "tenant", "create", "--name", "t").json();
      assertThat(new Client(server.url(), issued).status()).isEqualTo(200);
    }
    assertThat(directory.resolveSibling("unused")).doesNotExist();
  }

  @Test
  void unreachableDatabaseIsReportedWithoutPassword() throws IOException {
    Path keyset = directory.resolveSibling("other-keys.json");
    CommandRun.run(Map.of(), "keys", "init", keyset.toString()).expectExit(0);
    Map<String, String> settings = settings(keyset);
    settings.put("VAULT_DATABASE_URL", "jdbc:postgresql://127.0.0.1:1/vault");
    settings.put("VAULT_DATABASE_WAIT_SECONDS", "1");
    CommandRun refused = CommandRun.run(settings, "serve").expectExit(1);
    assertThat(refused.err())
        .contains("The database vault at 127.0.0.1:1", "connection refused")
        .doesNotContain(postgres.ownerPassword(), postgres.runtimePassword())
        .doesNotContain("Internal error");
    // Commands do not wait, since their user sees the error.
    settings.put("VAULT_DATABASE_WAIT_SECONDS", "3600");
    assertThat(CommandRun.run(settings, "tenant", "list").expectExit(1).err())
        .contains("The database vault at 127.0.0.1:1", "connection refused");
  }

  @Test
  void wrongPasswordIsConfigurationErrorWithoutWaiting() throws IOException {
    Path keyset = directory.resolveSibling("third-keys.json");
    CommandRun.run(Map.of(), "keys", "init", keyset.toString()).expectExit(0);
    Map<String, String> settings = settings(keyset);
    settings.put("VAULT_DATABASE_OWNER_PASSWORD", "planted-password");
    assertThat(CommandRun.run(settings, "serve").expectExit(3).err())
        .contains("authentication of the user " + postgres.ownerUser() + " failed")
        .doesNotContain("planted-password", "Internal error");
  }
}
