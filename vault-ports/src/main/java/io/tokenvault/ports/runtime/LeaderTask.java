package io.tokenvault.ports.runtime;

/** Work in the background that one of all nodes does for all. */
public enum LeaderTask {
  SWEEPING,
  REENCRYPTION,
  PARTITIONS,
  STREAMING,
  SEALING
}
