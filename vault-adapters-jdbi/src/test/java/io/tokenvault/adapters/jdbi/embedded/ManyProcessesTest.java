package io.tokenvault.adapters.jdbi.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.jdbi.embedded.PostgresCluster.PostmasterFile;
import io.tokenvault.ports.contract.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
final class ManyProcessesTest {

  @TempDir Path folder;

  private final Path directory = UsedOnce.directory();

  @Test
  void killedVaultStopsItsServerAndNextStartIsNormal() throws Exception {
    assertThatKillingIsSurvived(Map.of());
  }

  @Test
  @Tag("long")
  void killedVaultStopsServerThatSharesItsSession() throws Exception {
    Path bin = Files.createDirectory(folder.resolve("bin"));
    assertThatKillingIsSurvived(FailingPrograms.path(bin, "setsid"));
  }

  @Test
  @Tag("long")
  void vaultEndingWithoutCloseStopsItsServer() throws Exception {
    try (ChildJvm server = ChildJvm.server(directory)) {
      assertThat(server.line()).isEqualTo("READY vault");
      ProcessHandle postmaster = postmaster();
      server.endInput();
      server.awaitEnd();
      awaitEnd(postmaster);
    }
  }

  @Test
  void serverMissedByItsGuardIsStoppedByNextStart() throws Exception {
    try (ChildJvm server = ChildJvm.server(directory)) {
      assertThat(server.line()).isEqualTo("READY vault");
      // A running vault would restart its server.
      server.halt();
      PostmasterFile.stopOrphan(directory.resolve("postgres"));
      assertThat(directory.resolve("postgres/postmaster.pid")).doesNotExist();
    }
  }

  @Test
  void commandsAtOnceShareOneServer() throws Exception {
    assertThatCommandsShareOneServer(directory);
  }

  @Test
  @Tag("long")
  void concurrentCommandsCreateOneDatabase() throws Exception {
    assertThatCommandsShareOneServer(folder.resolve("data"));
  }

  private static void assertThatCommandsShareOneServer(Path place) throws Exception {
    try (ChildJvm one = ChildJvm.command(place);
        ChildJvm two = ChildJvm.command(place)) {
      assertThat(one.line()).isEqualTo("READY vault");
      assertThat(two.line()).isEqualTo("READY vault");
      one.tellToClose();
      assertThat(one.line()).isEqualTo("WORKED vault_runtime");
      two.tellToClose();
      assertThat(two.line()).isEqualTo("WORKED vault_runtime");
      one.awaitEnd();
      two.awaitEnd();
    }
    assertThat(place.resolve("postgres/postmaster.pid")).doesNotExist();
  }

  @Test
  void hostingCommandWaitsForItsGuest() throws Exception {
    try (ChildJvm host = ChildJvm.command(directory)) {
      assertThat(host.line()).isEqualTo("READY vault");
      try (EmbeddedPostgres guest = EmbeddedPostgres.attach(directory).orElseThrow()) {
        host.tellToClose();
        assertThat(host.line()).isEqualTo("WORKED vault_runtime");
        assertThatGuestWorksForAWhile(guest);
        assertThat(host.isAlive()).isTrue();
      }
      host.awaitEnd();
    }
  }

  @Test
  @Tag("long")
  void serverWaitsForTheHostingCommand() throws Exception {
    try (ChildJvm command = ChildJvm.command(directory)) {
      assertThat(command.line()).isEqualTo("READY vault");
      try (ChildJvm server = ChildJvm.server(directory)) {
        command.tellToClose();
        assertThat(server.line()).isEqualTo("READY vault");
      }
    }
  }

  private void assertThatKillingIsSurvived(Map<String, String> environment) throws Exception {
    try (ChildJvm server = ChildJvm.server(directory, environment)) {
      assertThat(server.line()).isEqualTo("READY vault");
      ProcessHandle postmaster = postmaster();
      server.kill();
      awaitEnd(postmaster);
      try (EmbeddedPostgres next = TestPrograms.start(directory)) {
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

  private ProcessHandle postmaster() throws IOException {
    long pid = PostmasterFile.read(directory.resolve("postgres")).orElseThrow().pid();
    return ProcessHandle.of(pid).orElseThrow();
  }

  private static void awaitEnd(ProcessHandle process) {
    Eventually.holds("the process ends", () -> !process.isAlive());
  }
}
