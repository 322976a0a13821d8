package io.tokenvault.domain.audit.integrity;

import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;

/**
 * A record that the vault's own command dropped the entries of a month (UTC) for all tenants.
 *
 * @param entries the number of dropped entries
 * @param mac the MAC over {@link LogEncoding#drop}
 */
public record PartitionDrop(YearMonth month, long entries, Instant droppedAt, LogTag mac) {
  /** Returns the month (UTC) of an entry. */
  public static YearMonth monthOf(EntryPlace place) {
    return YearMonth.from(place.createdAt().atOffset(ZoneOffset.UTC));
  }
}
