package io.tokenvault.server.assembly;

import io.tokenvault.ports.spi.CheckpointSink;
import io.tokenvault.ports.usecase.WriteCheckpoints;
import io.tokenvault.server.audit.CheckpointOutput;
import io.tokenvault.server.config.Configuration.Checkpoints;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Seals the log and writes checkpoints while the server runs, and once more when it stops. */
final class LogSealing implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LogSealing.class);

  private static final Duration LAST_CHECKPOINT = Duration.ofSeconds(3);

  private final Backend backend;
  private final Map<Integer, WriteCheckpoints> checkpoints = new ConcurrentHashMap<>();
  private final Map<Integer, CheckpointSink> sinks;

  private LogSealing(Backend backend, Map<Integer, CheckpointSink> sinks) {
    this.backend = backend;
    this.sinks = sinks;
  }

  static LogSealing start(Backend backend, Checkpoints settings, Housekeeping housekeeping) {
    LogSealing sealing = new LogSealing(backend, sinks(settings, backend.databases()));
    housekeeping.seal(sealing::seal);
    if (!sealing.sinks.isEmpty()) {
      housekeeping.checkpoint(sealing::checkpoint, settings.period());
    }
    return sealing;
  }

  /**
   * By the number of the database. Each has checkpoints of its own, since each log is verified;
   * settings send those of several databases to files.
   */
  private static Map<Integer, CheckpointSink> sinks(Checkpoints settings, int databases) {
    if (settings.standardOutput()) {
      return Map.of(1, CheckpointOutput.standardOutput());
    }
    Map<Integer, CheckpointSink> files = new HashMap<>();
    settings
        .file()
        .ifPresent(
            file ->
                IntStream.rangeClosed(1, databases)
                    .forEach(
                        each ->
                            files.put(
                                each, CheckpointOutput.file(ofDatabase(file, each, databases)))));
    return files;
  }

  private static Path ofDatabase(Path file, int number, int databases) {
    return databases == 1 ? file : file.resolveSibling(file.getFileName() + "." + number);
  }

  private void seal() {
    forEachDatabase(number -> backend.sealLog(number).run());
  }

  private void checkpoint() {
    forEachDatabase(
        number -> {
          if (sinks.containsKey(number)) {
            checkpoints.computeIfAbsent(number, this::checkpoints).run();
          }
        });
  }

  private WriteCheckpoints checkpoints(int database) {
    return new WriteCheckpoints(
        backend.stores().database(database).seals(),
        backend.keys(),
        sinks.get(database),
        UUID.randomUUID());
  }

  /** A database that is away does not keep the others waiting. */
  private void forEachDatabase(IntConsumer work) {
    RuntimeException failure = null;
    for (int number = 1; number <= backend.databases(); number++) {
      try {
        work.accept(number);
      } catch (RuntimeException failed) {
        failure = failed;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /**
   * To be called when nothing writes to the log any more. Seals one round, since a backlog can take
   * hours, and waits a moment for whoever is to take the checkpoint.
   */
  @Override
  public void close() {
    sayFailure(this::sealSome);
    if (!sinks.isEmpty() && !endsInTime(() -> sayFailure(this::checkpoint), LAST_CHECKPOINT)) {
      LOG.warn("Nobody took the last checkpoint, the next start writes it");
    }
  }

  private void sealSome() {
    forEachDatabase(number -> backend.sealLog(number).runOnce());
  }

  private static void sayFailure(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException failed) {
      LOG.warn(
          "The end of the log was not sealed, the next start does it: {}",
          failed.getClass().getName());
    }
  }

  /**
   * Whether work on a thread of its own ends in time. Otherwise it goes on, and holds nobody up.
   */
  static boolean endsInTime(Runnable work, Duration limit) {
    Thread thread = new Thread(work, "last-checkpoint");
    thread.setDaemon(true);
    thread.start();
    try {
      thread.join(limit.toMillis());
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
    return !thread.isAlive();
  }
}
