package io.tokenvault.adapters.jdbi.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tokenvault.adapters.jdbi.embedded.DataDirectory.FileOwner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the user that PostgreSQL runs as when root starts the vault; skipped for other users. */
@Timeout(180)
final class ProcessUserTest {

  static final String NOT_ROOT = "Only root can start a process as another user: run as root";

  @TempDir Path folder;

  private Path directory;

  @BeforeEach
  void makeFolderReadable() throws IOException {
    assumeTrue(FileOwner.ofThisProcess().isRoot(), NOT_ROOT);
    makeReadable(folder);
    directory = folder.resolve("data");
  }

  @Test
  @Tag("long")
  void ordinaryUserStartsServerInOwnDirectory() throws Exception {
    FileOwner.NOBODY.take(Files.createDirectory(directory));
    try (ChildJvm server =
        ChildJvm.serverAsNobody(directory, makeReadable(folder.resolve("readable")))) {
      assertThatServerWorks(server);
    }
    assertThatAllBelongsTo(FileOwner.NOBODY);
  }

  @Test
  void rootOwnsFilesWhereUserNamespacesAreAllowed() throws Exception {
    assumeTrue(
        new ProcessBuilder("unshare", "-U", "true").start().waitFor() == 0,
        "unshare -U fails: install util-linux and allow user namespaces"
            + " (sysctl kernel.unprivileged_userns_clone=1)");
    // Created by this process, which root runs as well.
    directory = InitializedDirectory.path();
    assertThat(directory.resolve("postgres/PG_VERSION")).exists();
    assertThatAllBelongsTo(FileOwner.ROOT);
  }

  @Test
  @Tag("long")
  void rootFallsBackToNobodyWhereUserNamespacesAreForbidden() throws Exception {
    assumeOthersCanReachPrograms();
    try (ChildJvm server = ChildJvm.server(directory, withFailing("unshare"))) {
      assertThatServerWorks(server);
    }
    assertThatAllBelongsTo(FileOwner.NOBODY);
  }

  @Test
  @Tag("long")
  void rootServesADirectoryAsTheUserWhoOwnsIt() throws Exception {
    assumeOthersCanReachPrograms();
    FileOwner owner = new FileOwner(65534, 0);
    owner.take(Files.createDirectory(directory));
    try (ChildJvm server = ChildJvm.server(directory)) {
      assertThatServerWorks(server);
    }
    assertThatAllBelongsTo(owner);
  }

  @Test
  void rootReceivesInstructionsWhereNoOtherUserIsUsable() throws Exception {
    try (ChildJvm server = ChildJvm.server(directory, withFailing("unshare", "setpriv"))) {
      assertThat(server.nextStatus()).startsWith("REFUSED").contains("chown", "external database");
    }
    assertThat(FileOwner.of(directory)).isEqualTo(FileOwner.ROOT);
  }

  /** Skips the test if others cannot enter the module's directory, which contains PostgreSQL. */
  private static void assumeOthersCanReachPrograms() throws IOException {
    for (Path each = Path.of("").toRealPath(); each != null; each = each.getParent()) {
      assumeTrue(
          Files.getPosixFilePermissions(each).contains(PosixFilePermission.OTHERS_EXECUTE),
          "Other users cannot enter " + each + ": build in a directory that they can (chmod o+x)");
    }
  }

  static Path makeReadable(Path directory) throws IOException {
    Files.createDirectories(directory);
    return Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Map<String, String> withFailing(String... programs) throws IOException {
    return FailingPrograms.environment(makeReadable(folder.resolve("bin")), programs);
  }

  private static void assertThatServerWorks(ChildJvm server) throws Exception {
    assertThat(server.nextStatus()).isEqualTo("READY vault");
    server.requestClose();
    assertThat(server.nextStatus()).isEqualTo("WORKED vault_runtime");
    server.awaitExit();
  }

  private void assertThatAllBelongsTo(FileOwner owner) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(file -> !file.toString().contains("postgres-")).toList()) {
        assertThat(FileOwner.of(file).uid()).as(file.toString()).isEqualTo(owner.uid());
      }
    }
  }
}
