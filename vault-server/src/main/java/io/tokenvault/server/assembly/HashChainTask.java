package io.tokenvault.server.assembly;

import io.tokenvault.ports.audit.CheckpointSink;
import io.tokenvault.ports.runtime.LeaderTask;
import io.tokenvault.ports.usecase.audit.WriteCheckpoints;
import io.tokenvault.server.audit.CheckpointLine;
import io.tokenvault.server.config.Configuration.Checkpoints;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Extends the hash chains and writes checkpoints while the server runs, and once more on shutdown.
 */
final class HashChainTask {

  private static final Logger LOG = LoggerFactory.getLogger(HashChainTask.class);

  private static final Duration EXTENSION = Duration.ofSeconds(1);
  private static final Duration LAST_CHECKPOINT = Duration.ofSeconds(3);
  private static final String EXTEND_CHAINS = "extend the hash chain";

  private HashChainTask() {}

  /**
   * Schedules the work.
   *
   * <p>At shutdown it does a single round, because a backlog can take hours, and waits at most
   * three seconds for the reader of the last checkpoint.
   *
   * @param settings the target and the period of checkpoints; without a target none is written
   */
  static void start(Backend backend, Checkpoints settings, Housekeeping housekeeping) {
    housekeeping.repeatForAll(
        LeaderTask.SEALING, EXTEND_CHAINS, () -> backend.extendHashChains().run(), EXTENSION);
    housekeeping.runAtShutdown(EXTEND_CHAINS, () -> backend.extendHashChains().runOnce());
    sink(settings)
        .map(
            sink ->
                new WriteCheckpoints(
                    backend.database().hashChains(), backend.keys(), sink, UUID.randomUUID()))
        .ifPresent(
            checkpoints -> {
              String task =
                  "write a log checkpoint to "
                      + settings.file().map(Path::toString).orElse("standard output");
              housekeeping.repeat(task, checkpoints::run, settings.period());
              housekeeping.runAtShutdown(
                  task, () -> writeLast(Housekeeping.loggingFailures(task, checkpoints::run)));
            });
  }

  /** Returns the target of checkpoints: standard output, a file, or none. */
  private static Optional<CheckpointSink> sink(Checkpoints settings) {
    return settings.standardOutput()
        ? Optional.of(CheckpointLine.standardOutput())
        : settings.file().map(CheckpointLine::file);
  }

  private static void writeLast(Runnable checkpoint) {
    if (!endsInTime(checkpoint, LAST_CHECKPOINT)) {
      LOG.warn("The last checkpoint was not written in time; the next start writes it");
    }
  }

  /**
   * Runs work on a separate daemon thread and returns whether it ended in time.
   *
   * <p>Work that takes longer continues but does not keep the process alive.
   */
  static boolean endsInTime(Runnable work, Duration limit) {
    Thread thread = new Thread(work, "last-checkpoint");
    thread.setDaemon(true);
    thread.start();
    try {
      thread.join(limit.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    return !thread.isAlive();
  }
}
