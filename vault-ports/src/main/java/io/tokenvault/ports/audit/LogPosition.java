package io.tokenvault.ports.audit;

import io.tokenvault.domain.audit.RecordedEntry;
import java.time.Instant;

/** A position in a tenant's log, between an entry and the next older one. */
public record LogPosition(Instant createdAt, long sequence) {

  /** Returns the position on the older side of an entry. */
  public static LogPosition after(RecordedEntry entry) {
    return new LogPosition(entry.createdAt(), entry.sequence());
  }
}
