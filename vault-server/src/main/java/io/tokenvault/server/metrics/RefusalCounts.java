package io.tokenvault.server.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.tokenvault.domain.audit.AuditEntry;
import java.util.List;

/** How often which application was refused. */
final class RefusalCounts {

  private final ByApplication counts;

  RefusalCounts(MeterRegistry registry) {
    this.counts =
        new ByApplication(
            registry,
            "vault.refusals",
            "Requests that were refused and recorded as such, by application");
  }

  /** One request's entries; however many they are, they tell of one refusal. */
  void count(List<AuditEntry> entries) {
    entries.stream()
        .filter(AuditEntry::isRefusal)
        .findFirst()
        .ifPresent(entry -> counts.count(entry.actor().id()));
  }
}
