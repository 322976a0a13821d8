package io.tokenvault.server.assembly;

import io.tokenvault.ports.spi.CheckpointSink;
import io.tokenvault.ports.usecase.SealLog;
import io.tokenvault.ports.usecase.WriteCheckpoints;
import io.tokenvault.server.audit.CheckpointOutput;
import io.tokenvault.server.config.Configuration.Checkpoints;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Seals the log and writes checkpoints while the server runs, and once more when it stops. */
final class LogSealing implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LogSealing.class);

  private final SealLog seals;
  private final Optional<WriteCheckpoints> checkpoints;

  private LogSealing(SealLog seals, Optional<WriteCheckpoints> checkpoints) {
    this.seals = seals;
    this.checkpoints = checkpoints;
  }

  static LogSealing start(Backend backend, Checkpoints settings, Housekeeping housekeeping) {
    Optional<WriteCheckpoints> checkpoints =
        sink(settings)
            .map(
                sink ->
                    new WriteCheckpoints(
                        backend.stores().seals(), backend.keys(), sink, UUID.randomUUID()));
    LogSealing sealing = new LogSealing(backend.sealLog(), checkpoints);
    housekeeping.seal(sealing.seals);
    checkpoints.ifPresent(each -> housekeeping.checkpoint(each, settings.period()));
    return sealing;
  }

  private static Optional<CheckpointSink> sink(Checkpoints settings) {
    return settings.standardOutput()
        ? Optional.of(CheckpointOutput.standardOutput())
        : settings.file().map(CheckpointOutput::file);
  }

  /** To be called when nothing writes to the log any more. */
  @Override
  public void close() {
    try {
      seals.run();
      checkpoints.ifPresent(WriteCheckpoints::run);
    } catch (RuntimeException failed) {
      LOG.warn(
          "The end of the log was not sealed, the next start does it: {}",
          failed.getClass().getName());
    }
  }
}
