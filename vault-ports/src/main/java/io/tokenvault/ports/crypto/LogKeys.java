package io.tokenvault.ports.crypto;

import io.tokenvault.domain.audit.integrity.LogTag;

/**
 * Computes and verifies the MACs by which the vault recognizes its own audit log and backups of it.
 * Each use has its own key, so that a MAC for one use is invalid for every other. Implementations
 * are thread-safe.
 */
public interface LogKeys {

  /** The kind of content that a MAC protects. */
  enum Use {
    /** An audit entry. */
    ENTRY,
    /** A link of a hash chain. */
    CHAIN_LINK,
    /** The record of a dropped month. */
    DROP,
    /** A backup of a whole database, including the audit log. */
    BACKUP
  }

  /** Returns a MAC under the current key. */
  LogTag authenticate(Use use, byte[] content);

  /** Returns whether the MAC is valid for this use and content under any known key. */
  boolean confirms(Use use, byte[] content, LogTag mac);
}
