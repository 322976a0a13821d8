package io.tokenvault.ports.audit;

import io.tokenvault.domain.audit.integrity.StoredEntry;
import java.util.Objects;

/**
 * An audit entry of the feed.
 *
 * @param position the position after the entry
 * @param seal the number of the link in its tenant's hash chain
 */
public record FeedEntry(FeedPosition position, long seal, StoredEntry entry) {
  public FeedEntry {
    Objects.requireNonNull(position, "position");
    Objects.requireNonNull(entry, "entry");
  }
}
