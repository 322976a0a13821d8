package io.tokenvault.ports.audit;

import io.tokenvault.domain.audit.integrity.StoredEntry;

/**
 * An audit entry of the feed.
 *
 * @param position the position after the entry
 * @param chainLink the number of the link in its tenant's hash chain
 */
public record FeedEntry(FeedPosition position, long chainLink, StoredEntry entry) {}
