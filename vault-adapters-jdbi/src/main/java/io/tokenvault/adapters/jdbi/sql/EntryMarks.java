package io.tokenvault.adapters.jdbi.sql;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntryContent;
import io.tokenvault.domain.audit.integrity.EntryMark;
import io.tokenvault.domain.audit.integrity.EntryPlace;
import io.tokenvault.domain.audit.integrity.LogEncoding;
import io.tokenvault.domain.audit.integrity.StoredEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.LogKeys;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;

/**
 * Gives audit entries their ids and MACs before they are written, and keeps the newest ones in
 * memory until they are in a hash chain.
 *
 * <p>An id is a UUID of version 8 (RFC 9562): 60 random bits of this process, followed by a counter
 * that starts at a random number. Ids have to be unique, not secret, and this scheme needs no
 * randomness for each entry. Instances are safe for use by many threads.
 */
public final class EntryMarks {

  /** Entries in memory, a power of two: those of 1.6 seconds at 20,000 entries per second. */
  static final int BUFFER_SIZE = 1 << 15;

  // Bits of a UUID that hold its version and variant (RFC 9562).
  private static final long VERSION_8 = 0x8000L;
  private static final long WITHOUT_VERSION = 0xFFFF_FFFF_FFFF_0FFFL;
  private static final long VARIANT = 0x8000_0000_0000_0000L;
  private static final long WITHOUT_VARIANT = 0x3FFF_FFFF_FFFF_FFFFL;

  private final LogKeys keys;
  private final long prefix;
  private final AtomicLong count;
  private final AtomicReferenceArray<Marked> buffer = new AtomicReferenceArray<>(BUFFER_SIZE);
  private final LongAdder unwritten = new LongAdder();

  /**
   * Creates a source of ids and MACs.
   *
   * @param keys the keys for the MACs
   * @param randomness the source of the process's part of ids
   */
  public EntryMarks(LogKeys keys, RandomGenerator randomness) {
    this.keys = keys;
    this.prefix = (randomness.nextLong() & WITHOUT_VERSION) | VERSION_8;
    this.count = new AtomicLong(randomness.nextLong());
  }

  /** Returns a new id and the MAC over the id and the entry's content. */
  EntryMark mark(AuditEntry entry) {
    UUID id = id(count.getAndIncrement());
    EntryContent content = EntryContent.of(entry);
    EntryMark mark =
        new EntryMark(id, keys.authenticate(LogKeys.Use.ENTRY, LogEncoding.entry(id, content)));
    buffer.set(slot(id), new Marked(content, mark));
    return mark;
  }

  private UUID id(long number) {
    return new UUID(prefix, (number & WITHOUT_VARIANT) | VARIANT);
  }

  private static int slot(UUID id) {
    return (int) id.getLeastSignificantBits() & (BUFFER_SIZE - 1);
  }

  /**
   * Returns the ids whose entries are in memory, unless they were taken, and stay there while
   * another quarter of their number is written.
   */
  public Range buffered() {
    long end = count.get();
    return new Range(id(end - BUFFER_SIZE / 4 * 3), id(end - 1));
  }

  /**
   * Returns a stored entry that this instance marked, and removes it from memory; empty if it is
   * not there.
   */
  public Optional<StoredEntry> take(UUID id, TenantId tenant, EntryPlace place) {
    Marked marked = buffer.get(slot(id));
    if (marked == null
        || !marked.mark().entryId().equals(id)
        || !marked.content().tenantId().equals(tenant)) {
      return Optional.empty();
    }
    buffer.compareAndSet(slot(id), marked, null);
    return Optional.of(new StoredEntry(place, marked.content(), Optional.of(marked.mark())));
  }

  /** Counts a change that failed because its audit entries could not be written. */
  public void noteUnwritten() {
    unwritten.increment();
  }

  /** Returns the number of changes that failed because their audit entries could not be written. */
  public long unwritten() {
    return unwritten.sum();
  }

  /** All ids from the first to the last, in PostgreSQL's order; none if the last is before it. */
  public record Range(UUID first, UUID last) {}

  private record Marked(EntryContent content, EntryMark mark) {}
}
