package io.tokenvault.ports.audit;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.Operation;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * Which log entries to read; what is empty does not restrict.
 *
 * @param actorId as whom somebody acted
 * @param from entries at this moment or later
 * @param until entries before this moment
 */
public record LogFilter(
    Optional<String> entityType,
    Optional<String> entityId,
    Optional<UUID> actorId,
    Optional<Operation> operation,
    Optional<Instant> from,
    Optional<Instant> until) {
  public LogFilter {
    Objects.requireNonNull(entityType, "entityType");
    Objects.requireNonNull(entityId, "entityId");
    Objects.requireNonNull(actorId, "actorId");
    Objects.requireNonNull(operation, "operation");
    Objects.requireNonNull(from, "from");
    Objects.requireNonNull(until, "until");
  }

  /** By any actor, and any operation. */
  public LogFilter(
      Optional<String> entityType,
      Optional<String> entityId,
      Optional<Instant> from,
      Optional<Instant> until) {
    this(entityType, entityId, Optional.empty(), Optional.empty(), from, until);
  }

  /** The same by any actor, and any operation. */
  public LogFilter byAnyone() {
    return new LogFilter(entityType, entityId, from, until);
  }

  /** Whether an entry is by this actor and of this operation. */
  public boolean isBy(AuditEntry entry) {
    return (actorId.isEmpty() || actorId.equals(entry.actor().id()))
        && (operation.isEmpty() || operation.get() == entry.operation());
  }

  /** Everything. */
  public static LogFilter all() {
    return new LogFilter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }
}
