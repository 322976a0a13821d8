package io.tokenvault.domain.tenant;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * The creator and the last modifier of a resource, with times by the database's clock, to the
 * microsecond.
 *
 * @param createdBy the application that created it; empty if a command did
 * @param modifiedBy the application that changed it last; empty if none did, or a command
 * @param modifiedAt empty until the first change
 */
public record Provenance(
    Optional<UUID> createdBy,
    Instant createdAt,
    Optional<UUID> modifiedBy,
    Optional<Instant> modifiedAt) {
  public Provenance {
    Objects.requireNonNull(createdBy, "createdBy");
    Objects.requireNonNull(createdAt, "createdAt");
    Objects.requireNonNull(modifiedBy, "modifiedBy");
    Objects.requireNonNull(modifiedAt, "modifiedAt");
  }

  /** Returns the provenance of a resource that was never changed. */
  public static Provenance created(Optional<UUID> by, Instant at) {
    return new Provenance(by, at, Optional.empty(), Optional.empty());
  }

  /** Returns this provenance after a change. */
  public Provenance modified(Optional<UUID> by, Instant at) {
    return new Provenance(createdBy, createdAt, by, Optional.of(at));
  }

  /** Returns creator and creation time by the names of their properties. */
  public Map<String, Object> creation() {
    Map<String, Object> fields = new HashMap<>();
    createdBy.ifPresent(by -> fields.put("created_by", by));
    fields.put("created_at", createdAt);
    return fields;
  }
}
