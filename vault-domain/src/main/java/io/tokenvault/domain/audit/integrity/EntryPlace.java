package io.tokenvault.domain.audit.integrity;

import java.time.Instant;
import java.util.Objects;

/** Where an entry stands in its tenant's log. No two entries have the same place. */
public record EntryPlace(Instant createdAt, long sequence) {
  public EntryPlace {
    Objects.requireNonNull(createdAt, "createdAt");
  }
}
