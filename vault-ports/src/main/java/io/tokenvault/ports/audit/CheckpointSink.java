package io.tokenvault.ports.audit;

import io.tokenvault.domain.audit.integrity.Checkpoint;

/** Where checkpoints go. */
public interface CheckpointSink {

  /**
   * Returns when it is written, as durably as the place allows.
   *
   * @throws java.io.UncheckedIOException if it cannot be written
   */
  void write(Checkpoint checkpoint);
}
