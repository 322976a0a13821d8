package io.tokenvault.adapters.jdbi.embedded;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;

/** The data files of PostgreSQL: created once by {@code initdb}, checked at every start. */
final class PostgresCluster {

  /** Prefix of folders in which {@code initdb} is creating a cluster. */
  private static final String DRAFT = ".initdb-";

  private static final Duration PATIENCE_WITH_INITDB = Duration.ofSeconds(20);

  private final DataDirectory directory;
  private final Path folder;

  PostgresCluster(DataDirectory directory) {
    this.directory = directory;
    this.folder = directory.cluster();
  }

  /**
   * Checks existing files without changing them.
   *
   * @throws EmbeddedPostgresException if they have another major version, are not those of
   *     PostgreSQL, or lack their password files
   */
  void refuseIfUnfit() throws IOException {
    if (!exists()) {
      return;
    }
    String version = version();
    if (!version.equals(PostgresBinaries.MAJOR_VERSION)) {
      throw new EmbeddedPostgresException(
          ("The data in %s were made by PostgreSQL %s, and this build has %s. Start the release of"
                  + " the vault that made them, or move them with pg_dump or pg_upgrade.")
              .formatted(directory, version, PostgresBinaries.VERSION));
    }
    if (!directory.hasPasswords()) {
      throw new EmbeddedPostgresException(
          ("The data in %s cannot be opened: a password file is missing there (%s, %s)."
                  + " Restore it from the copy that the data come from.")
              .formatted(
                  directory,
                  directory.passwordFile(ServerEndpoint.OWNER).getFileName(),
                  directory.passwordFile(ServerEndpoint.RUNTIME).getFileName()));
    }
  }

  /**
   * Creates the files if they are absent. Otherwise stops a server that an earlier process left,
   * and restores the permissions of the files.
   */
  void makeReady(PostgresLauncher launcher, PostgresBinaries binaries) throws IOException {
    if (!exists()) {
      create(launcher, binaries);
      return;
    }
    PostmasterFile.endOrphan(folder);
    secure(launcher.user());
  }

  private boolean exists() throws IOException {
    return Files.isDirectory(folder) && !DataDirectory.isEmpty(folder);
  }

  /** Returns the major version that created the files. */
  private String version() throws IOException {
    Path file = folder.resolve("PG_VERSION");
    if (!Files.exists(file)) {
      throw new EmbeddedPostgresException(
          folder + " holds files, but not those of PostgreSQL: restore it, or move it away");
    }
    return Files.readString(file).strip();
  }

  /**
   * Creates the files in a draft folder and renames it, so that an aborted start leaves nothing
   * that looks complete.
   */
  private void create(PostgresLauncher launcher, PostgresBinaries binaries) throws IOException {
    try (var drafts = Files.newDirectoryStream(directory.path(), DRAFT + "*")) {
      for (Path draft : drafts) {
        deletePatiently(draft);
      }
    }
    Path draft = Files.createTempDirectory(directory.path(), DRAFT);
    directory.hand(draft);
    PostgresLauncher.Outcome outcome =
        PostgresLauncher.run(launcher.guarded(initdb(binaries, draft)));
    if (outcome.exit() != 0) {
      DataDirectory.delete(draft);
      throw new EmbeddedPostgresException(
          "PostgreSQL could not make its files in %s: %s".formatted(directory, outcome.output()));
    }
    Files.move(draft, folder, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Returns the command that creates a cluster: UTF-8, the C locale, page checksums, and SCRAM for
   * every connection.
   */
  private List<String> initdb(PostgresBinaries binaries, Path target) {
    return List.of(
        binaries.initdb(),
        "--pgdata=" + target,
        "--username=" + ServerEndpoint.OWNER,
        "--pwfile=" + directory.passwordFile(ServerEndpoint.OWNER),
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--data-checksums",
        "--no-instructions");
  }

  /**
   * Deletes a draft. Retries for a while, because the {@code initdb} of a killed process may still
   * be deleting its files there.
   */
  private static void deletePatiently(Path draft) throws IOException {
    Deadline deadline = Deadline.in(PATIENCE_WITH_INITDB);
    for (; ; deadline.pause()) {
      try {
        DataDirectory.delete(draft);
        return;
      } catch (DirectoryNotEmptyException e) {
        if (deadline.passed()) {
          throw e;
        }
      }
    }
  }

  /**
   * Takes ownership of restored files and makes them private: they may belong to another user, or
   * be readable for others.
   */
  private void secure(FileOwner user) throws IOException {
    if (FileOwner.ofThisProcess().isRoot()) {
      user.takeTree(folder);
    }
    if (FileOwner.of(folder).uid() == FileOwner.ofThisProcess().uid()) {
      Files.setPosixFilePermissions(folder, DataDirectory.PRIVATE_FOLDER);
    }
  }
}
