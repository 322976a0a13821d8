package io.tokenvault.ports.audit;

import io.tokenvault.domain.audit.integrity.StoredEntry;
import java.util.Objects;

/**
 * An audit entry of the feed.
 *
 * @param position the position after the entry
 * @param chainLink the number of the link in its tenant's hash chain
 */
public record FeedEntry(FeedPosition position, long chainLink, StoredEntry entry) {
  public FeedEntry {
    Objects.requireNonNull(position, "position");
    Objects.requireNonNull(entry, "entry");
  }
}
