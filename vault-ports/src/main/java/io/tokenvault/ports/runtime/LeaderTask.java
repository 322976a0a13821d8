package io.tokenvault.ports.runtime;

/** A background task that one node performs for all nodes. */
public enum LeaderTask {
  /** Deletes expired rows. */
  SWEEPING,
  /** Re-encrypts fields under the current data keys. */
  REENCRYPTION,
  /** Creates the partitions of the audit log ahead of time. */
  PARTITIONS,
  /** Sends audit entries to the configured sink. */
  STREAMING,
  /** Extends the hash chains of the audit log. */
  SEALING
}
