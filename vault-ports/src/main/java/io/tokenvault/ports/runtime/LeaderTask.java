package io.tokenvault.ports.runtime;

/** A background task that one node performs for all nodes. */
public enum LeaderTask {
  SWEEPING,
  REENCRYPTION,
  PARTITIONS,
  STREAMING,
  SEALING
}
