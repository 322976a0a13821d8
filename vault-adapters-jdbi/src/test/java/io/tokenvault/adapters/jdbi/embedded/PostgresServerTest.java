package io.tokenvault.adapters.jdbi.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.jdbi.embedded.PostgresCluster.PostmasterFile;
import io.tokenvault.ports.contract.Eventually;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the restart of a server process that ends unexpectedly. */
@Timeout(180)
final class PostgresServerTest {

  private static final int KILLS = "full".equals(System.getProperty("vault.test.size")) ? 2 : 1;

  private final Path directory = InitializedDirectory.path();

  @Test
  void killedServerRestartsOnItsPort() throws IOException {
    try (EmbeddedPostgres postgres = TestPostgres.start(directory)) {
      for (int i = 0; i < KILLS; i++) {
        kill();
        Eventually.holds("the server responds", () -> responds(postgres));
      }
    }
    assertThat(EmbeddedPostgres.attach(directory)).isEmpty();
  }

  private void kill() throws IOException {
    long pid = PostmasterFile.read(directory.resolve("postgres")).orElseThrow().pid();
    ProcessHandle server = ProcessHandle.of(pid).orElseThrow();
    server.destroyForcibly();
    server.onExit().join();
  }

  private static boolean responds(EmbeddedPostgres postgres) {
    try {
      return Sql.asOwner(postgres, "select 'yes'").equals("yes");
    } catch (SQLException notYet) {
      return false;
    }
  }
}
