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
 * Marks entries on their way into the log.
 *
 * <p>An id is 60 random bits of this process and a count from a random number on: it has to be
 * unique, not secret, and this costs no randomness for an entry.
 */
public final class EntryMarks {

  private static final long VERSION_8 = 0x8000L;
  private static final long WITHOUT_VERSION = 0xFFFF_FFFF_FFFF_0FFFL;
  private static final long VARIANT = 0x8000_0000_0000_0000L;
  private static final long WITHOUT_VARIANT = 0x3FFF_FFFF_FFFF_FFFFL;

  private final LogKeys keys;
  private final long prefix;
  private final AtomicLong count;
  private final LongAdder unwritten = new LongAdder();

  public EntryMarks(LogKeys keys, RandomGenerator randomness) {
    this.keys = keys;
    this.prefix = (randomness.nextLong() & WITHOUT_VERSION) | VERSION_8;
    this.count = new AtomicLong(randomness.nextLong());
  }

  EntryMark mark(AuditEntry entry) {
    UUID id = new UUID(prefix, (count.getAndIncrement() & WITHOUT_VARIANT) | VARIANT);
    byte[] content = LogEncoding.entry(id, EntryContent.of(entry));
    return new EntryMark(id, keys.authenticate(LogKeys.Use.ENTRY, content));
  }

  /** A change failed since what it is recorded by could not be written. */
  public void noteUnwritten() {
    unwritten.increment();
  }

  /** How often that was so. */
  public long unwritten() {
    return unwritten.sum();
  }
}
