package io.tokenvault.ports.memory;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.AuditLog;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.audit.LogPosition;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.Preconditions;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

final class InMemoryLog implements AuditLog, AuditRecorder {

  private static final Comparator<RecordedEntry> NEWEST_FIRST =
      Comparator.comparing(RecordedEntry::createdAt)
          .thenComparing(RecordedEntry::sequence)
          .reversed();

  private final Memory memory;

  InMemoryLog(Memory memory) {
    this.memory = memory;
  }

  @Override
  public Page<RecordedEntry> list(TenantId tenantId, LogFilter filter, PageRequest request) {
    return memory.read(() -> Memory.page(matching(tenantId, filter), request));
  }

  private List<RecordedEntry> matching(TenantId tenantId, LogFilter filter) {
    return memory.log.stream()
        .filter(each -> each.entry().tenantId().equals(tenantId))
        .filter(each -> matches(filter, each))
        .sorted(NEWEST_FIRST)
        .toList();
  }

  private static boolean matches(LogFilter filter, RecordedEntry recorded) {
    AuditEntry entry = recorded.entry();
    return filter.entityType().map(entry.entityType().value()::equals).orElse(true)
        && filter.entityId().map(entry.entityId()::equals).orElse(true)
        && filter.isBy(entry)
        && filter.from().map(from -> !recorded.createdAt().isBefore(from)).orElse(true)
        && filter.until().map(until -> recorded.createdAt().isBefore(until)).orElse(true);
  }

  @Override
  public List<RecordedEntry> walk(
      TenantId tenantId, LogFilter filter, Optional<LogPosition> after, int size) {
    return memory.read(
        () ->
            matching(tenantId, filter).stream()
                .filter(each -> after.map(position -> isOlder(each, position)).orElse(true))
                .limit(size)
                .toList());
  }

  private static boolean isOlder(RecordedEntry entry, LogPosition position) {
    int order = entry.createdAt().compareTo(position.createdAt());
    return order < 0 || (order == 0 && entry.sequence() < position.sequence());
  }

  @Override
  public Outcome record(List<AuditEntry> entries, Preconditions versions) {
    return memory.change(
        () -> {
          if (!memory.hold(versions)) {
            return Outcome.STALE;
          }
          memory.requireEntries();
          memory.addDurably(entries);
          return Outcome.RECORDED;
        });
  }
}
