package io.tokenvault.ports.crypto;

import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/**
 * A process that serves requests, and the master keys that it holds.
 *
 * @param id the id of the process
 * @param keys the ids of its master keys
 * @param lastSeen by the store's clock
 */
public record KeysetNode(UUID id, Set<MasterKeyId> keys, Instant lastSeen) {
  public KeysetNode {
    Objects.requireNonNull(id, "id");
    keys = Set.copyOf(keys);
    Objects.requireNonNull(lastSeen, "lastSeen");
  }
}
