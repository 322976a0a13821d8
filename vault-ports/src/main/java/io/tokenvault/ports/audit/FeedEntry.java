package io.tokenvault.ports.audit;

import io.tokenvault.domain.audit.integrity.StoredEntry;
import java.util.Objects;

/**
 * An entry of the log as it is handed on.
 *
 * @param position just after it
 * @param seal the number of the seal in its tenant's chain
 */
public record FeedEntry(FeedPosition position, long seal, StoredEntry entry) {
  public FeedEntry {
    Objects.requireNonNull(position, "position");
    Objects.requireNonNull(entry, "entry");
  }
}
