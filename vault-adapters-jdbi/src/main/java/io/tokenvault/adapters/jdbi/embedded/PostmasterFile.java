package io.tokenvault.adapters.jdbi.embedded;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The file {@code postmaster.pid} in which a server describes itself: numbers, and paths in an
 * unknown encoding, whose bytes are preserved.
 */
final class PostmasterFile {

  private static final int PID_LINE = 0;
  private static final int PORT_LINE = 3;
  private static final int STATUS_LINE = 7;
  private static final Duration PATIENCE_WITH_ORPHANS = Duration.ofMinutes(1);

  private final Path file;
  private final List<String> lines;

  private PostmasterFile(Path file, List<String> lines) {
    this.file = file;
    this.lines = lines;
  }

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
   * @throws EmbeddedPostgresException if the server does not end within a minute
   */
  static void endOrphan(Path cluster) throws IOException {
    Deadline deadline = Deadline.in(PATIENCE_WITH_ORPHANS);
    Optional<PostmasterFile> left = read(cluster);
    if (left.isPresent() && left.get().isOfServerOn(cluster)) {
      PostgresLauncher.signal("INT", left.get().pid());
    }
    while (left.isPresent() && left.get().isOfServerOn(cluster)) {
      if (deadline.passed()) {
        throw new EmbeddedPostgresException(
            "A PostgreSQL left behind by an earlier vault does not end its work on %s: process %d"
                .formatted(cluster.getParent(), left.get().pid()));
      }
      deadline.pause();
      left = read(cluster);
    }
    if (left.isPresent()) {
      left.get().disown();
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
   * Makes the file stale for the next server. PostgreSQL refuses to start while any process has the
   * id in the file, but considers the id of its own parent stale. It still checks the shared memory
   * that the other lines name, which deleting the file would prevent.
   */
  private void disown() throws IOException {
    if (lines.isEmpty()) {
      Files.deleteIfExists(file);
      return;
    }
    List<String> own = new ArrayList<>(lines);
    own.set(PID_LINE, Long.toString(ProcessHandle.current().pid()));
    Files.write(file, own, ISO_8859_1);
  }
}
