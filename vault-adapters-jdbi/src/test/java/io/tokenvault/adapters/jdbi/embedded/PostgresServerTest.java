package io.tokenvault.adapters.jdbi.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that ends although nobody stopped it. */
@Timeout(180)
final class PostgresServerTest {

  private static final int KILLS = "full".equals(System.getProperty("vault.test.size")) ? 2 : 1;

  private final Path directory = UsedOnce.directory();

  @Test
  void killedServerRestartsOnItsPort() throws Exception {
    try (EmbeddedPostgres postgres = TestPrograms.start(directory)) {
      for (int i = 0; i < KILLS; i++) {
        kill(pid());
        assertThat(answersWithin(Duration.ofSeconds(60), postgres)).isTrue();
      }
    }
    assertThat(EmbeddedPostgres.attach(directory)).isEmpty();
  }

  private long pid() throws IOException {
    Path note = directory.resolve("postgres").resolve("postmaster.pid");
    return Long.parseLong(Files.readAllLines(note).get(0).strip());
  }

  private static void kill(long pid) {
    ProcessHandle server = ProcessHandle.of(pid).orElseThrow();
    server.destroyForcibly();
    server.onExit().join();
  }

  private static boolean answersWithin(Duration patience, EmbeddedPostgres postgres) {
    Deadline deadline = Deadline.in(patience);
    while (!answers(postgres)) {
      if (deadline.passed()) {
        return false;
      }
      deadline.pause();
    }
    return true;
  }

  private static boolean answers(EmbeddedPostgres postgres) {
    try (Connection connection =
        DriverManager.getConnection(
            postgres.jdbcUrl(), postgres.ownerUser(), postgres.ownerPassword())) {
      return connection.isValid(1);
    } catch (SQLException notYet) {
      return false;
    }
  }
}
