package io.tokenvault.adapters.jdbi.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the start on an existing data directory that was moved, copied or damaged. */
@Timeout(180)
final class RestartTest {

  private static final List<String> CHANGED_FILES =
      List.of("postgres/PG_VERSION", "postgres/postgresql.conf", "vault_owner.password");

  private final Path directory = InitializedDirectory.path();
  private final Map<Path, String> originals = new HashMap<>();

  @BeforeEach
  void saveFiles() throws IOException {
    for (String name : CHANGED_FILES) {
      Path file = directory.resolve(name);
      originals.put(file, Files.readString(file));
    }
  }

  @AfterEach
  void restoreFiles() throws IOException {
    for (Map.Entry<Path, String> file : originals.entrySet()) {
      Files.writeString(file.getKey(), file.getValue());
    }
  }

  @Test
  void dataSurvivesRestart() throws Exception {
    assertThatDataExistsIn(directory);
  }

  @Test
  void closingTwiceIsHarmless() {
    EmbeddedPostgres postgres = TestPostgres.start(directory);
    postgres.close();
    postgres.close();
    assertThat(EmbeddedPostgres.attach(directory)).isEmpty();
  }

  @Test
  void directoryCanBeMoved() throws Exception {
    Path elsewhere = Files.move(directory, directory.resolveSibling("elsewhere"));
    assertThatDataExistsIn(elsewhere);
    Files.move(elsewhere, directory);
  }

  @Test
  void copyReadableByOthersIsRestrictedAgain() throws Exception {
    Path cluster = directory.resolve("postgres");
    Path password = directory.resolve("vault_owner.password");
    Files.setPosixFilePermissions(cluster, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatDataExistsIn(directory);
    assertThat(Files.getPosixFilePermissions(cluster)).isEqualTo(DataDirectory.PRIVATE_FOLDER);
    assertThat(Files.getPosixFilePermissions(password)).isEqualTo(DataDirectory.PRIVATE_FILE);
  }

  @Test
  void reusedProcessIdDoesNotBlock() throws Exception {
    Process other = new ProcessBuilder("sleep", "60").start();
    try {
      leavePostmasterFile(other.pid());
      assertThatDataExistsIn(directory);
      assertThat(other.isAlive()).isTrue();
    } finally {
      other.destroy();
    }
  }

  @Test
  void staleProcessIdDoesNotBlock() throws Exception {
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    leavePostmasterFile(ended.pid());
    assertThatDataExistsIn(directory);
  }

  @Test
  void anotherMajorVersionIsRejected() throws IOException {
    Files.writeString(directory.resolve("postgres/PG_VERSION"), "17\n");
    assertThatStartIsRejected().hasMessageContaining("PostgreSQL 17").hasMessageContaining("18.6");
  }

  @Test
  void nonPostgresFilesAreRejected() throws IOException {
    Files.delete(directory.resolve("postgres/PG_VERSION"));
    assertThatStartIsRejected().hasMessageContaining("but no PostgreSQL data");
  }

  @Test
  void missingPasswordFileIsRejectedAndNotReplaced() throws IOException {
    Path password = directory.resolve("vault_owner.password");
    Files.delete(password);
    assertThatStartIsRejected().hasMessageContaining("vault_owner.password");
    assertThat(password).doesNotExist();
  }

  @Test
  void passwordOfAnotherDatabaseIsRejectedAndNotDisclosed() throws IOException {
    Files.writeString(directory.resolve("vault_owner.password"), "wrong-one\n");
    assertThatStartIsRejected()
        .hasMessageContaining("do not match its data")
        .hasMessageNotContaining("wrong-one");
  }

  @Test
  void serverErrorAboutBrokenDataIsQuoted() throws Exception {
    Files.writeString(directory.resolve("postgres/postgresql.conf"), "no_such_setting = 1\n");
    assertThatStartIsRejected().hasMessageContaining("no_such_setting");
    Files.writeString(directory.resolve("postgres/postgresql.conf"), "");
    assertThatDataExistsIn(directory);
  }

  @Test
  void newClusterDoesNotFillWalFilesUnlessConfigured() throws Exception {
    assertThat(setting("wal_init_zero")).isEqualTo("off");
    assertThat(setting("backend_flush_after")).isEqualTo("256kB");
    Path file = directory.resolve("postgres/postgresql.conf");
    Files.writeString(file, "wal_init_zero = on\n", StandardOpenOption.APPEND);
    assertThat(setting("wal_init_zero")).isEqualTo("on");
  }

  private String setting(String name) throws Exception {
    try (EmbeddedPostgres postgres = TestPostgres.start(directory)) {
      return Sql.asOwner(postgres, "show " + name);
    }
  }

  private void leavePostmasterFile(long pid) throws IOException {
    List<String> lines =
        List.of(Long.toString(pid), "/somewhere", "1", "5432", "", "127.0.0.1", "", "ready   ");
    Files.write(directory.resolve("postgres/postmaster.pid"), lines);
  }

  private AbstractThrowableAssert<?, ?> assertThatStartIsRejected() {
    return assertThatThrownBy(() -> TestPostgres.start(directory))
        .isInstanceOf(EmbeddedPostgresException.class)
        .hasMessageContaining(directory.toString());
  }

  private static void assertThatDataExistsIn(Path dataDirectory) throws Exception {
    try (EmbeddedPostgres postgres = TestPostgres.start(dataDirectory)) {
      assertThat(Sql.asOwner(postgres, "select answer from kept")).isEqualTo("yes");
    }
  }
}
