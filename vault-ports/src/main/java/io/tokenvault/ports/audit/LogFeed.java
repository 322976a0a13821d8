package io.tokenvault.ports.audit;

import io.tokenvault.domain.tenant.TenantId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Reads the chained entries of all tenants in the order in which they were chained, for export and
 * streaming. The package documentation states the laws for every method.
 */
public interface LogFeed {

  /** Returns the position after the last chained entry. */
  FeedPosition end();

  /** Returns a position before every entry that was written at this time or later. */
  FeedPosition before(Instant time);

  /**
   * Reads entries between two positions. Entries of dropped months are skipped.
   *
   * @param after exclusive
   * @param last inclusive
   * @param limit the maximum number of entries, at least 1
   */
  Batch read(Selection selection, FeedPosition after, FeedPosition last, int limit);

  /** Returns the stored position of a reader that resumes where it stopped; initially the start. */
  FeedPosition progress(String reader);

  /**
   * Stores the new position of a reader if its stored position is still {@code from}.
   *
   * @return whether it was
   */
  boolean advance(String reader, FeedPosition from, FeedPosition to);

  /**
   * Criteria for entries; an empty one does not restrict.
   *
   * @param tenant the owner of the entries
   * @param from the earliest time of writing, inclusive
   * @param until the latest time of writing, exclusive
   */
  record Selection(Optional<TenantId> tenant, Optional<Instant> from, Optional<Instant> until) {
    public static Selection all() {
      return new Selection(Optional.empty(), Optional.empty(), Optional.empty());
    }
  }

  /**
   * A part of the feed.
   *
   * @param entries possibly none although more follow
   * @param reached the position to continue from; {@code last} at the end
   * @param missing the number of chained entries that are absent although their month was not
   *     dropped, which means that they were tampered with
   */
  record Batch(List<FeedEntry> entries, FeedPosition reached, int missing) {
    public Batch {
      entries = List.copyOf(entries);
    }
  }
}
