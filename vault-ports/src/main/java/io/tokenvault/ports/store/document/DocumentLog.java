package io.tokenvault.ports.store.document;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

record DocumentLog(Transactions transactions) implements AuditLog, AuditRecorder {

  @Override
  public Page<RecordedEntry> list(TenantId tenantId, LogFilter filter, PageRequest request) {
    List<RecordedEntry> items = new ArrayList<>();
    AtomicLong count = new AtomicLong();
    scan(
        tenantId,
        filter,
        Optional.empty(),
        each -> {
          if (count.getAndIncrement() >= request.offset() && items.size() < request.size()) {
            items.add(each);
          }
          return true;
        });
    return new Page<>(items, count.get(), request);
  }

  @Override
  public List<RecordedEntry> walk(
      TenantId tenantId, LogFilter filter, Optional<LogPosition> after, int size) {
    List<RecordedEntry> items = new ArrayList<>();
    scan(
        tenantId,
        filter,
        after,
        each -> {
          items.add(each);
          return items.size() < size;
        });
    return items;
  }

  private void scan(
      TenantId tenantId,
      LogFilter filter,
      Optional<LogPosition> after,
      Predicate<RecordedEntry> visitor) {
    transactions.read(
        records -> {
          records
              .snapshot()
              .scanLog(
                  tenantId, filter, after, each -> !matches(filter, each) || visitor.test(each));
          return filter;
        });
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
  public Outcome record(List<AuditEntry> entries, Preconditions versions) {
    return transactions.write(
        records -> {
          if (!records.hold(versions)) {
            return Outcome.STALE;
          }
          transactions.appendDurably(records, entries);
          return Outcome.RECORDED;
        });
  }
}
