package io.tokenvault.server.assembly;

import io.tokenvault.ports.audit.CheckpointSink;
import io.tokenvault.ports.usecase.audit.WriteCheckpoints;
import io.tokenvault.server.audit.CheckpointOutput;
import io.tokenvault.server.config.Configuration.Checkpoints;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Seals the log and writes checkpoints while the server runs, and once more when it stops. */
final class LogSealing implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LogSealing.class);

  private static final Duration LAST_CHECKPOINT = Duration.ofSeconds(3);

  private final Backend backend;
  private final Optional<WriteCheckpoints> checkpoints;

  private LogSealing(Backend backend, Optional<WriteCheckpoints> checkpoints) {
    this.backend = backend;
    this.checkpoints = checkpoints;
  }

  static LogSealing start(Backend backend, Checkpoints settings, Housekeeping housekeeping) {
    Optional<WriteCheckpoints> checkpoints =
        sink(settings)
            .map(
                sink ->
                    new WriteCheckpoints(
                        backend.stores().seals(), backend.keys(), sink, UUID.randomUUID()));
    housekeeping.seal(() -> backend.sealLog().run());
    checkpoints.ifPresent(each -> housekeeping.checkpoint(each::run, settings.period()));
    return new LogSealing(backend, checkpoints);
  }

  private static Optional<CheckpointSink> sink(Checkpoints settings) {
    return settings.standardOutput()
        ? Optional.of(CheckpointOutput.standardOutput())
        : settings.file().map(CheckpointOutput::file);
  }

  /**
   * To be called when nothing writes to the log any more. Seals one round, since a backlog can take
   * hours, and waits a moment for whoever is to take the checkpoint.
   */
  @Override
  public void close() {
    sayFailure(() -> backend.sealLog().runOnce());
    if (checkpoints.isPresent()
        && !endsInTime(() -> sayFailure(checkpoints.get()::run), LAST_CHECKPOINT)) {
      LOG.warn("Nobody took the last checkpoint, the next start writes it");
    }
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
