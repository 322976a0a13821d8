package io.tokenvault.ports.audit;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.Operation;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * Criteria for reading the audit log; an empty one does not restrict.
 *
 * @param actorId the id of the acting application
 * @param from the earliest time, inclusive
 * @param until the latest time, exclusive
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

  /** Creates a filter for any actor and any operation. */
  public LogFilter(
      Optional<String> entityType,
      Optional<String> entityId,
      Optional<Instant> from,
      Optional<Instant> until) {
    this(entityType, entityId, Optional.empty(), Optional.empty(), from, until);
  }

  /** Returns this filter without its restrictions on actor and operation. */
  public LogFilter byAnyone() {
    return new LogFilter(entityType, entityId, from, until);
  }

  /** Returns whether an entry matches the actor and operation of this filter. */
  public boolean isBy(AuditEntry entry) {
    return (actorId.isEmpty() || actorId.equals(entry.actor().id()))
        && (operation.isEmpty() || operation.get() == entry.operation());
  }

  /** Returns a filter without restrictions. */
  public static LogFilter all() {
    return new LogFilter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }
}
