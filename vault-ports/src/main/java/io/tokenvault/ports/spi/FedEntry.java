package io.tokenvault.ports.spi;

import io.tokenvault.domain.audit.StoredEntry;
import java.util.Objects;

/**
 * An entry of the log as it is handed on.
 *
 * @param position just after it
 * @param seal the number of the seal in its tenant's chain
 */
public record FedEntry(FeedPosition position, long seal, StoredEntry entry) {
  public FedEntry {
    Objects.requireNonNull(position, "position");
    Objects.requireNonNull(entry, "entry");
  }
}
