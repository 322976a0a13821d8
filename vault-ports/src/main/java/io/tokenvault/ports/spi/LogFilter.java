package io.tokenvault.ports.spi;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Which log entries to read; what is empty does not restrict.
 *
 * @param from entries at this moment or later
 * @param until entries before this moment
 */
public record LogFilter(
    Optional<String> entityType,
    Optional<String> entityId,
    Optional<Instant> from,
    Optional<Instant> until) {
  public LogFilter {
    Objects.requireNonNull(entityType, "entityType");
    Objects.requireNonNull(entityId, "entityId");
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(until, "until");
  }

  /** Everything. */
  public static LogFilter all() {
    return new LogFilter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }
}
