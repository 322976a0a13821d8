package io.tokenvault.ports.crypto;

import io.tokenvault.domain.audit.integrity.LogTag;

/**
 * The keys by which the vault knows its own log again, and backups of it: MACs, with a key of its
 * own for each use, so that a MAC of one use is none of another. All threads may share one
 * instance.
 */
public interface LogKeys {

  /** What a MAC is of. */
  enum Use {
    ENTRY,
    SEAL,
    DROP,
    /** A backup of a whole database, in which the log is. */
    BACKUP
  }

  /** A MAC under the key of the moment. */
  LogTag authenticate(Use use, byte[] content);

  /** Whether the MAC is one for this use and content, under any key that is known. */
  boolean confirms(Use use, byte[] content, LogTag mac);
}
