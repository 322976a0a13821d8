package io.tokenvault.ports.audit;

import io.tokenvault.domain.tenant.TenantId;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The sealed entries of all tenants, in the order in which they were sealed, to be handed on. The
 * package names the laws for every method.
 */
public interface LogFeed {

  /** The position after the last sealed entry. */
  FeedPosition end();

  /** A position before every entry that was written at a time or later. */
  FeedPosition before(Instant time);

  /**
   * Some of the entries between two positions. What went with a dropped month is passed over.
   *
   * @param after exclusive
   * @param last inclusive
   * @param limit how many entries at the most, from 1
   */
  Batch read(Selection selection, FeedPosition after, FeedPosition last, int limit);

  /** How far a reader has come that goes on where it stopped; the start at first. */
  FeedPosition progress(String reader);

  /**
   * Notes how far a reader has come, if it is still where it was.
   *
   * @return whether it was
   */
  boolean advance(String reader, FeedPosition from, FeedPosition to);

  /**
   * Which entries; what is empty does not restrict.
   *
   * @param from written at this moment or later
   * @param until written before this moment
   */
  record Selection(Optional<TenantId> tenant, Optional<Instant> from, Optional<Instant> until) {
    public Selection {
      Objects.requireNonNull(tenant, "tenant");
      Objects.requireNonNull(from, "from");
      Objects.requireNonNull(until, "until");
    }

    public static Selection all() {
      return new Selection(Optional.empty(), Optional.empty(), Optional.empty());
    }
  }

  /**
   * What was found.
   *
   * @param entries may be none although there are more further on
   * @param reached where to go on; {@code last} at the end
   * @param missing how many entries are sealed, of no dropped month, and not there: somebody
   *     removed them
   */
  record Batch(List<FeedEntry> entries, FeedPosition reached, int missing) {
    public Batch {
      entries = List.copyOf(entries);
    }
  }
}
