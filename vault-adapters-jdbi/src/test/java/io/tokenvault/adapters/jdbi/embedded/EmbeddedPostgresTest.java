package io.tokenvault.adapters.jdbi.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.adapters.jdbi.embedded.PostgresCluster.PostmasterFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
final class EmbeddedPostgresTest {

  @TempDir static Path folder;

  private static Path directory;
  @AutoClose private static EmbeddedPostgres postgres;

  @BeforeAll
  static void start() {
    directory = folder.resolve("Daten für \"alles\" 数据");
    Path relative = Path.of("").toAbsolutePath().relativize(directory.toAbsolutePath());
    postgres = TestPostgres.start(Path.of(".").resolve(relative));
  }

  @Test
  void serverVersionMatchesTheBuild() throws SQLException {
    assertThat(Sql.asOwner(postgres, "show server_version")).isEqualTo(PostgresBinaries.VERSION);
  }

  @Test
  void relativeDirectoryMayContainDots() throws SQLException {
    assertThat(directory.resolve("postgres/PG_VERSION")).exists();
    assertThat(Sql.asOwner(postgres, "select 1")).isEqualTo("1");
  }

  @Test
  void dataAreDurableAndChecked() throws SQLException {
    assertThat(Sql.asOwner(postgres, "show fsync")).isEqualTo("on");
    assertThat(Sql.asOwner(postgres, "show data_checksums")).isEqualTo("on");
    assertThat(Sql.asOwner(postgres, "show server_encoding")).isEqualTo("UTF8");
  }

  @Test
  void serverListensOnLoopbackOnly() throws SQLException {
    assertThat(Sql.asOwner(postgres, "show listen_addresses")).isEqualTo("127.0.0.1");
    assertThat(Sql.asOwner(postgres, "show unix_socket_directories")).isEmpty();
  }

  @Test
  void randomPasswordsOf256BitsNeedNoIterations() throws SQLException {
    assertThat(Base64.getUrlDecoder().decode(postgres.ownerPassword())).hasSize(32);
    assertThat(Base64.getUrlDecoder().decode(postgres.runtimePassword())).hasSize(32);
    assertThat(
            Sql.asOwner(
                postgres,
                "select count(*) from pg_authid where rolpassword like 'SCRAM-SHA-256$1:%'"))
        .isEqualTo("2");
  }

  @Test
  void wrongPasswordIsRejected() {
    assertThatThrownBy(() -> Sql.run(postgres.jdbcUrl(), postgres.ownerUser(), "guess", "select 1"))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("password authentication failed");
  }

  @Test
  void runtimeRoleCanOnlyConnect() throws SQLException {
    assertThat(Sql.asRuntime(postgres, "select current_user")).isEqualTo("vault_runtime");
    assertThat(Sql.asRuntime(postgres, "show is_superuser")).isEqualTo("off");
    assertThatThrownBy(() -> Sql.asRuntime(postgres, "create table t (i int)"))
        .hasMessageContaining("permission denied");
  }

  @Test
  void nonAsciiLettersHaveCase() throws SQLException {
    assertThat(Sql.asOwner(postgres, "select upper('žluťoučký äöü')")).isEqualTo("ŽLUŤOUČKÝ ÄÖÜ");
  }

  @Test
  void passwordsAreNotDisclosed() throws IOException {
    Stream<String> arguments =
        ProcessHandle.allProcesses()
            .flatMap(process -> process.info().arguments().stream().flatMap(Arrays::stream));
    assertThat(Stream.concat(arguments, Stream.of(postgres.toString(), postgres.jdbcUrl())))
        .noneMatch(text -> text.contains(postgres.ownerPassword()))
        .noneMatch(text -> text.contains(postgres.runtimePassword()));
    assertThat(Files.readString(directory.resolve("postgres.log")))
        .doesNotContain(postgres.ownerPassword(), postgres.runtimePassword());
  }

  @Test
  void serverLogDoesNotQuoteCallerInput() throws Exception {
    assertThatThrownBy(() -> Sql.asOwner(postgres, "select 'planted-marker'::int"))
        .isInstanceOf(SQLException.class);
    assertThat(Files.readString(directory.resolve("postgres.log")))
        .contains("ready to accept connections")
        .doesNotContain("planted-marker");
  }

  @Test
  void filesAreReadableOnlyByTheOwner() throws IOException {
    Set<PosixFilePermission> owners = PosixFilePermissions.fromString("rwx------");
    assertThat(Files.getPosixFilePermissions(directory)).isEqualTo(owners);
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files)
          .allSatisfy(file -> assertThat(Files.getPosixFilePermissions(file)).isSubsetOf(owners));
    }
  }

  @Test
  void secondServerInThisProcessIsRejected() {
    assertThatThrownBy(() -> TestPostgres.start(directory))
        .isInstanceOf(EmbeddedPostgresException.class)
        .hasMessageContaining(directory.toString())
        .hasMessageContaining("process " + ProcessHandle.current().pid());
  }

  // If the first rejection opened and closed the lock file, that would release the lock.
  @Test
  void secondServerInAnotherProcessIsRejectedAfterRejectionHere() throws Exception {
    assertThatThrownBy(() -> TestPostgres.start(directory))
        .isInstanceOf(EmbeddedPostgresException.class);
    try (ChildJvm other = ChildJvm.server(directory)) {
      assertThat(other.nextStatus()).startsWith("REFUSED").contains("in use by process");
    }
  }

  @Test
  void guestWorksAndLeavesServerRunning() throws SQLException {
    try (EmbeddedPostgres guest = EmbeddedPostgres.attach(directory).orElseThrow()) {
      assertThat(guest.jdbcUrl()).isEqualTo(postgres.jdbcUrl());
      assertThat(Sql.asRuntime(guest, "select 1")).isEqualTo("1");
    }
    assertThat(Sql.asRuntime(postgres, "select 1")).isEqualTo("1");
  }

  @Test
  @Tag("long")
  void commandOfAnotherProcessJoinsTheServer() throws Exception {
    try (ChildJvm command = ChildJvm.command(directory)) {
      assertThat(command.nextStatus()).isEqualTo("READY vault");
      command.requestClose();
      assertThat(command.nextStatus()).isEqualTo("WORKED vault_runtime");
      command.awaitExit();
    }
    assertThat(Sql.asRuntime(postgres, "select 1")).isEqualTo("1");
  }

  @Test
  void attachReturnsEmptyWhereNoServerRuns() {
    assertThat(EmbeddedPostgres.attach(folder)).isEmpty();
    assertThat(EmbeddedPostgres.attach(folder.resolve("absent"))).isEmpty();
  }

  @Test
  void ctrlCAtTheTerminalDoesNotReachTheServer() throws IOException {
    PostmasterFile postmaster = PostmasterFile.read(directory.resolve("postgres")).orElseThrow();
    String[] stat = Files.readString(Path.of("/proc/" + postmaster.pid() + "/stat")).split(" ");
    String processGroup = stat[4];
    assertThat(processGroup).isEqualTo(Long.toString(postmaster.pid()));
  }
}
