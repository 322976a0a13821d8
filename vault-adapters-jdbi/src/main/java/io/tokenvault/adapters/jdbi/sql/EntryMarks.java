package io.tokenvault.adapters.jdbi.sql;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.EntryContent;
import io.tokenvault.domain.audit.integrity.EntryMark;
import io.tokenvault.domain.audit.integrity.LogEncoding;
import io.tokenvault.ports.crypto.LogKeys;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;

/**
 * Gives audit entries their ids and MACs before they are written.
 *
 * <p>An id is a UUID of version 8 (RFC 9562): 60 random bits of this process, followed by a counter
 * that starts at a random number. Ids have to be unique, not secret, and this scheme needs no
 * randomness for each entry. Instances are safe for use by many threads.
 */
public final class EntryMarks {

  // Bits of a UUID that hold its version and variant (RFC 9562).
  private static final long VERSION_8 = 0x8000L;
  private static final long WITHOUT_VERSION = 0xFFFF_FFFF_FFFF_0FFFL;
  private static final long VARIANT = 0x8000_0000_0000_0000L;
  private static final long WITHOUT_VARIANT = 0x3FFF_FFFF_FFFF_FFFFL;

  private final LogKeys keys;
  private final long prefix;
  private final AtomicLong count;
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
    UUID id = new UUID(prefix, (count.getAndIncrement() & WITHOUT_VARIANT) | VARIANT);
    byte[] content = LogEncoding.entry(id, EntryContent.of(entry));
    return new EntryMark(id, keys.authenticate(LogKeys.Use.ENTRY, content));
  }

  /** Counts a change that failed because its audit entries could not be written. */
  public void noteUnwritten() {
    unwritten.increment();
  }

  /** Returns the number of changes that failed because their audit entries could not be written. */
  public long unwritten() {
    return unwritten.sum();
  }
}
