package io.tokenvault.adapters.jdbi.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a vault that was killed may have left: a server that is still shutting down, or only its
 * {@code postmaster.pid}. Whoever holds the directory's lock knows that no living vault owns it.
 */
final class Orphan {

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Path cluster;

  Orphan(Path cluster) {
    this.cluster = cluster;
  }

  void end() throws IOException {
    Deadline deadline = Deadline.in(PATIENCE);
    Optional<PostmasterFile> left = PostmasterFile.read(cluster);
    left.flatMap(this::server).ifPresent(server -> Signal.INT.to(server.pid()));
    while (left.flatMap(this::server).isPresent()) {
      if (deadline.passed()) {
        throw stillRunning(left.get());
      }
      deadline.pause();
      left = PostmasterFile.read(cluster);
    }
    if (left.isPresent()) {
      disown(left.get());
    }
  }

  // A number alone says nothing: it may be another program's by now.
  private Optional<ProcessHandle> server(PostmasterFile file) {
    return ProcessHandle.of(file.pid())
        .filter(process -> List.of(arguments(process)).contains(cluster.toString()));
  }

  private static String[] arguments(ProcessHandle process) {
    return process.info().arguments().orElse(new String[0]);
  }

  private static void disown(PostmasterFile file) throws IOException {
    if (file.isEmpty()) {
      file.delete();
    } else {
      file.disown();
    }
  }

  private EmbeddedPostgresException stillRunning(PostmasterFile file) {
    return new EmbeddedPostgresException(
        "A PostgreSQL left behind by an earlier vault does not end its work on %s: process %d"
            .formatted(cluster.getParent(), file.pid()));
  }
}
