package io.tokenvault.adapters.jdbi.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.jdbi.embedded.PostgresCluster.PostmasterFile;
import io.tokenvault.ports.contract.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
final class MultipleProcessesTest {

  private static final int KILLS = "full".equals(System.getProperty("vault.test.size")) ? 2 : 1;

  @TempDir Path folder;

  private final Path directory = InitializedDirectory.path();

  @Test
  void killedVaultStopsItsServerAndNextStartIsNormal() throws Exception {
    assertServerStopsAndRestarts(Map.of());
  }

  @Test
  @Tag("long")
  void killedVaultStopsServerThatSharesItsSession() throws Exception {
    Path bin = Files.createDirectory(folder.resolve("bin"));
    assertServerStopsAndRestarts(FailingPrograms.environment(bin, "setsid"));
  }

  @Test
  @Tag("long")
  void vaultEndingWithoutCloseStopsItsServer() throws Exception {
    try (ChildJvm server = ChildJvm.server(directory)) {
      assertThat(server.nextStatus()).isEqualTo("READY vault");
      ProcessHandle postmaster = postmaster();
      server.closeInput();
      server.awaitExit();
      awaitExit(postmaster);
    }
  }

  @Test
  void serverMissedByItsGuardIsStoppedByNextStart() throws Exception {
    try (ChildJvm server = ChildJvm.server(directory)) {
      assertThat(server.nextStatus()).isEqualTo("READY vault");
      // A running vault would restart its server.
      server.suspend();
      PostmasterFile.stopOrphan(directory.resolve("postgres"));
      assertThat(directory.resolve("postgres/postmaster.pid")).doesNotExist();
    }
  }

  @Tag("long")
  @Test
  void suspendedServerStopsCleanly() throws Exception {
    ProcessHandle postmaster;
    try (EmbeddedPostgres postgres = TestPostgres.start(directory)) {
      assertThat(Sql.asRuntime(postgres, "select 1")).isEqualTo("1");
      postmaster = postmaster();
      ChildJvm.suspend(postmaster);
    }
    assertThat(postmaster.isAlive()).isFalse();
    assertThat(log()).contains("database system is shut down");
  }

  @Tag("long")
  @Test
  void killedVaultStopsItsSuspendedServer() throws Exception {
    try (ChildJvm server = ChildJvm.server(directory)) {
      assertThat(server.nextStatus()).isEqualTo("READY vault");
      ProcessHandle postmaster = postmaster();
      ChildJvm.suspend(postmaster);
      server.kill();
      awaitExit(postmaster);
    }
  }

  // A restart waits up to five minutes for the server, this test less.
  @Tag("long")
  @Test
  void restartInProgressDoesNotDelayTheStop() throws Exception {
    Path neverReady = directory.resolve("postgres/standby.signal");
    Path settings = directory.resolve("postgres/postgresql.conf");
    String original = Files.readString(settings);
    try (EmbeddedPostgres postgres = TestPostgres.start(directory)) {
      assertThat(Sql.asRuntime(postgres, "select 1")).isEqualTo("1");
      Files.createFile(neverReady);
      Files.writeString(settings, "hot_standby = off\nrestore_command = 'false'\n");
      kill();
      Eventually.holds("the restart waits", () -> log().contains("entering standby mode"));
    } finally {
      Files.deleteIfExists(neverReady);
      Files.writeString(settings, original);
    }
    assertThat(log()).contains("database system is shut down");
    try (EmbeddedPostgres next = TestPostgres.start(directory)) {
      assertThat(Sql.asRuntime(next, "select 1")).isEqualTo("1");
    }
  }

  @Tag("long")
  @Test
  void concurrentCommandsShareOneServer() throws Exception {
    assertThatCommandsShareOneServer(directory);
  }

  @Test
  @Tag("long")
  void concurrentCommandsCreateOneDatabase() throws Exception {
    assertThatCommandsShareOneServer(folder.resolve("data"));
  }

  private static void assertThatCommandsShareOneServer(Path dataDirectory) throws Exception {
    try (ChildJvm one = ChildJvm.command(dataDirectory);
        ChildJvm two = ChildJvm.command(dataDirectory)) {
      assertThat(one.nextStatus()).isEqualTo("READY vault");
      assertThat(two.nextStatus()).isEqualTo("READY vault");
      one.requestClose();
      assertThat(one.nextStatus()).isEqualTo("WORKED vault_runtime");
      two.requestClose();
      assertThat(two.nextStatus()).isEqualTo("WORKED vault_runtime");
      one.awaitExit();
      two.awaitExit();
    }
    assertThat(dataDirectory.resolve("postgres/postmaster.pid")).doesNotExist();
  }

  @Tag("long")
  @Test
  void hostingCommandWaitsForItsGuest() throws Exception {
    try (ChildJvm host = ChildJvm.command(directory)) {
      assertThat(host.nextStatus()).isEqualTo("READY vault");
      try (EmbeddedPostgres guest = EmbeddedPostgres.attach(directory).orElseThrow()) {
        host.requestClose();
        assertThat(host.nextStatus()).isEqualTo("WORKED vault_runtime");
        assertThatGuestWorksForAWhile(guest);
        assertThat(host.isAlive()).isTrue();
      }
      host.awaitExit();
    }
  }

  @Test
  @Tag("long")
  void serverWaitsForTheHostingCommand() throws Exception {
    try (ChildJvm command = ChildJvm.command(directory)) {
      assertThat(command.nextStatus()).isEqualTo("READY vault");
      try (ChildJvm server = ChildJvm.server(directory)) {
        command.requestClose();
        assertThat(server.nextStatus()).isEqualTo("READY vault");
      }
    }
  }

  private void assertServerStopsAndRestarts(Map<String, String> environment) throws Exception {
    try (ChildJvm server = ChildJvm.server(directory, environment)) {
      assertThat(server.nextStatus()).isEqualTo("READY vault");
      ProcessHandle postmaster = postmaster();
      server.kill();
      awaitExit(postmaster);
      try (EmbeddedPostgres next = TestPostgres.start(directory)) {
        assertThat(Sql.asRuntime(next, "select 1")).isEqualTo("1");
      }
    }
    assertThat(Files.readString(directory.resolve("postgres.log.1")))
        .contains("database system is shut down");
  }

  private static void assertThatGuestWorksForAWhile(EmbeddedPostgres guest) throws Exception {
    Deadline deadline = Deadline.in(Duration.ofMillis(300));
    while (!deadline.passed()) {
      assertThat(Sql.asRuntime(guest, "select 1")).isEqualTo("1");
    }
  }

  private String log() {
    try {
      return Files.readString(directory.resolve("postgres.log"));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private ProcessHandle postmaster() throws IOException {
    long pid = PostmasterFile.read(directory.resolve("postgres")).orElseThrow().pid();
    return ProcessHandle.of(pid).orElseThrow();
  }

  private static void awaitExit(ProcessHandle process) {
    Eventually.holds("the process ends", () -> !process.isAlive());
  }

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
    ProcessHandle server = postmaster();
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
