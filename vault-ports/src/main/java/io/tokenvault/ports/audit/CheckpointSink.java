package io.tokenvault.ports.audit;

import io.tokenvault.domain.audit.integrity.Checkpoint;

/** Receives checkpoints of the hash chains. */
public interface CheckpointSink {

  /**
   * Writes a checkpoint and returns when it is as durable as the medium permits.
   *
   * @throws java.io.UncheckedIOException if it cannot be written
   */
  void write(Checkpoint checkpoint);
}
