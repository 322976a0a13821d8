package io.tokenvault.server.assembly;

import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.ports.audit.CheckpointSink;
import io.tokenvault.ports.runtime.LeaderTask;
import io.tokenvault.ports.usecase.audit.WriteCheckpoints;
import io.tokenvault.server.audit.CheckpointLine;
import io.tokenvault.server.config.Configuration.Checkpoints;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Extends the hash chains and writes checkpoints while the server runs, and once more on shutdown.
 */
final class HashChainTask implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(HashChainTask.class);

  private static final Duration EXTENSION = Duration.ofSeconds(1);
  private static final Duration LAST_CHECKPOINT = Duration.ofSeconds(3);

  private final Backend backend;
  private final Optional<WriteCheckpoints> checkpoints;

  private HashChainTask(Backend backend, Optional<WriteCheckpoints> checkpoints) {
    this.backend = backend;
    this.checkpoints = checkpoints;
  }

  /**
   * Schedules the work.
   *
   * @param settings the target and the period of checkpoints; without a target none is written
   */
  static HashChainTask start(Backend backend, Checkpoints settings, Housekeeping housekeeping) {
    Optional<WriteCheckpoints> checkpoints =
        sink(settings)
            .map(
                sink ->
                    new WriteCheckpoints(
                        backend.database().hashChains(), backend.keys(), sink, UUID.randomUUID()));
    housekeeping.repeatForAll(
        LeaderTask.SEALING,
        "extend the hash chain",
        () -> backend.extendHashChains().run(),
        EXTENSION);
    checkpoints.ifPresent(
        each -> housekeeping.repeat("write a log checkpoint", each::run, settings.period()));
    return new HashChainTask(backend, checkpoints);
  }

  /** Returns the target of checkpoints: standard output, a file, or none. */
  private static Optional<CheckpointSink> sink(Checkpoints settings) {
    return settings.standardOutput()
        ? Optional.of(CheckpointLine.standardOutput())
        : settings.file().map(CheckpointLine::file);
  }

  /**
   * Extends the hash chains and writes a checkpoint one last time, after the last write to the log.
   *
   * <p>It does a single round, because a backlog can take hours, and waits at most three seconds
   * for the reader of the checkpoint.
   */
  @Override
  public void close() {
    sayFailure(() -> backend.extendHashChains().runOnce());
    if (checkpoints.isPresent()
        && !endsInTime(() -> sayFailure(checkpoints.get()::run), LAST_CHECKPOINT)) {
      LOG.warn("The last checkpoint was not written in time; the next start writes it");
    }
  }

  /** Runs the work and logs a failure: the next start repeats it. */
  private static void sayFailure(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException failed) {
      LOG.warn(
          "The end of the log was not added to the hash chain; the next start adds it: {}",
          RefusedException.describe(failed));
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
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
    return !thread.isAlive();
  }
}
