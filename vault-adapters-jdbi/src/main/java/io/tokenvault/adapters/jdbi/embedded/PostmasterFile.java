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
 * What a server writes about itself into its {@code postmaster.pid}: numbers, and paths in whatever
 * encoding, which are kept byte by byte.
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

  static Optional<PostmasterFile> read(Path cluster) throws IOException {
    Path file = cluster.resolve("postmaster.pid");
    try {
      return Optional.of(new PostmasterFile(file, Files.readAllLines(file, ISO_8859_1)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  long pid() {
    return number(PID_LINE);
  }

  int port() {
    return (int) number(PORT_LINE);
  }

  boolean isReady() {
    return lines.size() > STATUS_LINE && lines.get(STATUS_LINE).strip().equals("ready");
  }

  // A server that is just writing the file, or a damaged one, has no numbers yet.
  private long number(int line) {
    try {
      return lines.size() > line ? Long.parseLong(lines.get(line).strip()) : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /**
   * Ends what a vault that was killed may have left: a server that is still shutting down, or only
   * its file. Only for the holder of the directory's lock, who knows that no living vault owns it.
   */
  static void endOrphan(Path cluster) throws IOException {
    Deadline deadline = Deadline.in(PATIENCE_WITH_ORPHANS);
    Optional<PostmasterFile> left = read(cluster);
    if (left.isPresent() && left.get().isOfServerOn(cluster)) {
      Launcher.signal("INT", left.get().pid());
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

  // A number alone says nothing: it may be another program's by now.
  private boolean isOfServerOn(Path cluster) {
    return ProcessHandle.of(pid())
        .flatMap(process -> process.info().arguments())
        .filter(arguments -> List.of(arguments).contains(cluster.toString()))
        .isPresent();
  }

  /**
   * Makes the file stale for the next server. PostgreSQL refuses to start while any process has the
   * number in it, but takes its parent's number for stale; it still checks the shared memory that
   * the other lines name, which it could not if the file were deleted.
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
