package io.tokenvault.domain.audit.integrity;

import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Objects;

/**
 * Says that the entries of a month (UTC), of all tenants, were dropped by the vault's own command.
 *
 * @param entries how many there were
 * @param mac over {@link LogEncoding#drop}
 */
public record PartitionDrop(YearMonth month, long entries, Instant droppedAt, LogTag mac) {
  public PartitionDrop {
    Objects.requireNonNull(month, "month");
    Objects.requireNonNull(droppedAt, "droppedAt");
    Objects.requireNonNull(mac, "mac");
  }

  /** The month that an entry is of. */
  public static YearMonth monthOf(EntryPlace place) {
    return YearMonth.from(place.createdAt().atOffset(ZoneOffset.UTC));
  }
}
