package io.tokenvault.ports.crypto;

import io.tokenvault.domain.NamedConstant;
import java.util.Objects;

/**
 * Identifies a key of the master keyset.
 *
 * @param id unique within the use; may be negative
 */
public record MasterKeyId(Use use, int id) {

  public MasterKeyId {
    Objects.requireNonNull(use, "use");
  }

  /** The use of a key of the master keyset. */
  public enum Use implements NamedConstant {
    /** Wraps the keys of tenants. */
    WRAPPING,
    /** Hashes API keys and proxy keys. */
    KEY_HASH;
  }
}
