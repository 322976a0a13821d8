package io.tokenvault.adapters.jdbi.embedded;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
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

  /**
   * Makes the file stale for the next server. PostgreSQL refuses to start while any process has the
   * number in it, but takes its parent's number for stale; it still checks the shared memory that
   * the other lines name, which it could not if the file were deleted.
   */
  void disown() throws IOException {
    List<String> own = new ArrayList<>(lines);
    own.set(PID_LINE, Long.toString(ProcessHandle.current().pid()));
    Files.write(file, own, ISO_8859_1);
  }

  boolean isEmpty() {
    return lines.isEmpty();
  }

  void delete() throws IOException {
    Files.deleteIfExists(file);
  }

  // A server that is just writing the file, or a damaged one, has no numbers yet.
  private long number(int line) {
    try {
      return lines.size() > line ? Long.parseLong(lines.get(line).strip()) : 0;
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
