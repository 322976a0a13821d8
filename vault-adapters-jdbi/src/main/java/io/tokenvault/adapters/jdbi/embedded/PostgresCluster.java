package io.tokenvault.adapters.jdbi.embedded;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.tokenvault.adapters.jdbi.embedded.DataDirectory.FileOwner;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The data files of PostgreSQL: created once by {@code initdb}, checked at every start. */
final class PostgresCluster {

  /** Prefix of folders in which {@code initdb} is creating a cluster. */
  private static final String DRAFT = ".initdb-";

  private static final Duration DELETE_TIMEOUT = Duration.ofSeconds(20);

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
  void requireUsable() throws IOException {
    if (!exists()) {
      return;
    }
    String version = version();
    if (!version.equals(PostgresBinaries.MAJOR_VERSION)) {
      throw new EmbeddedPostgresException(
          ("The data in %s was created by PostgreSQL %s, and this build has %s. Start the release"
                  + " that created it, or migrate it with pg_dump or pg_upgrade.")
              .formatted(directory, version, PostgresBinaries.VERSION));
    }
    if (!directory.hasPasswords()) {
      throw new EmbeddedPostgresException(
          ("Cannot open the data in %s: a password file is missing (%s, %s). Restore it from the"
                  + " backup of the data.")
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
    PostmasterFile.stopOrphan(folder);
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
          folder + " contains files, but no PostgreSQL data: restore it, or move it");
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
        deleteWithRetries(draft);
      }
    }
    Path draft = Files.createTempDirectory(directory.path(), DRAFT);
    directory.giveToOwner(draft);
    PostgresLauncher.Outcome outcome =
        PostgresLauncher.run(launcher.guarded(initdb(binaries, draft)));
    if (outcome.exit() != 0) {
      DataDirectory.delete(draft);
      throw new EmbeddedPostgresException(
          "PostgreSQL could not create its files in %s: %s".formatted(directory, outcome.output()));
    }
    Files.move(draft, folder, StandardCopyOption.ATOMIC_MOVE);
  }

  /**
   * Returns the command that creates a cluster: UTF-8, the C locale, page checksums, and SCRAM for
   * every connection.
   *
   * <p>The settings keep commits from waiting for other writes, of which the audit log makes many.
   * By default, PostgreSQL fills each new WAL file of 16 MiB with zeros first, and leaves pages
   * that do not fit into its memory to the operating system until a checkpoint flushes them all.
   * The administrator may change these settings in {@code postgresql.conf}.
   */
  private List<String> initdb(PostgresBinaries binaries, Path target) {
    return List.of(
        binaries.program("initdb"),
        "--pgdata=" + target,
        "--username=" + ServerEndpoint.OWNER,
        "--pwfile=" + directory.passwordFile(ServerEndpoint.OWNER),
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--data-checksums",
        "--set=wal_init_zero=off",
        "--set=backend_flush_after=256kB",
        "--no-instructions");
  }

  /**
   * Deletes a draft. Retries for a while, because the {@code initdb} of a killed process may still
   * be deleting its files there.
   */
  private static void deleteWithRetries(Path draft) throws IOException {
    Deadline deadline = Deadline.in(DELETE_TIMEOUT);
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

  /**
   * The file {@code postmaster.pid} in which a server describes itself: numbers, and paths in an
   * unknown encoding, whose bytes are preserved.
   */
  record PostmasterFile(Path file, List<String> lines) {

    private static final int PID_LINE = 0;
    private static final int PORT_LINE = 3;
    private static final int STATUS_LINE = 7;

    /** Reads the file of a cluster; empty if there is none. */
    static Optional<PostmasterFile> read(Path cluster) throws IOException {
      Path file = cluster.resolve("postmaster.pid");
      try {
        return Optional.of(new PostmasterFile(file, Files.readAllLines(file, ISO_8859_1)));
      } catch (NoSuchFileException e) {
        return Optional.empty();
      }
    }

    /** Returns the process id of the server, or 0 if the file is incomplete. */
    long pid() {
      return number(PID_LINE);
    }

    /** Returns the port of the server, or 0 if the file is incomplete. */
    int port() {
      return (int) number(PORT_LINE);
    }

    /** Returns whether the server accepts connections. */
    boolean isReady() {
      return lines.size() > STATUS_LINE && lines.get(STATUS_LINE).strip().equals("ready");
    }

    /** Returns the number in a line. A file that is being written, or is damaged, has 0. */
    private long number(int line) {
      try {
        return lines.size() > line ? Long.parseLong(lines.get(line).strip()) : 0;
      } catch (NumberFormatException e) {
        return 0;
      }
    }

    /**
     * Stops a server that a killed process left behind, and makes its file stale. The caller holds
     * the directory's lock, so no living process owns that server.
     *
     * @throws EmbeddedPostgresException if the server does not end
     */
    static void stopOrphan(Path cluster) throws IOException {
      Optional<PostmasterFile> found = read(cluster);
      if (found.isPresent()
          && !PostgresLauncher.stop(found.get().pid(), () -> found.get().isOfServerOn(cluster))) {
        throw new EmbeddedPostgresException(
            "A PostgreSQL server of an earlier vault does not stop using %s: process %s"
                .formatted(cluster.getParent(), found.get().pid()));
      }
      Optional<PostmasterFile> left = read(cluster);
      if (left.isPresent()) {
        left.get().makeStale();
      }
    }

    /**
     * Returns whether the process with this id is a server of the cluster. The number alone proves
     * nothing, since another program may have it by now.
     */
    private boolean isOfServerOn(Path cluster) {
      return ProcessHandle.of(pid())
          .flatMap(process -> process.info().arguments())
          .filter(arguments -> List.of(arguments).contains(cluster.toString()))
          .isPresent();
    }

    /**
     * Makes the file stale for the next server. PostgreSQL refuses to start while any process has
     * the id in the file, but considers the id of its own parent stale. It still checks the shared
     * memory that the other lines name, which deleting the file would prevent.
     */
    private void makeStale() throws IOException {
      if (lines.isEmpty()) {
        Files.deleteIfExists(file);
        return;
      }
      List<String> own = new ArrayList<>(lines);
      own.set(PID_LINE, Long.toString(ProcessHandle.current().pid()));
      Files.write(file, own, ISO_8859_1);
    }
  }
}
