package io.tokenvault.server;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.audit.LogPosition;
import io.tokenvault.ports.store.document.Storage;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Documents in memory for a vault that is discarded after the warm-up.
 *
 * <p>It does not keep the laws of {@link Storage}: changes of work that throws remain, concurrent
 * work is not isolated, and log entries are dropped.
 */
final class WarmUpStorage implements Storage, Storage.Transaction {

  private final Map<DocumentKey, Document> documents = new ConcurrentHashMap<>();

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public <T> T read(Function<Snapshot, T> work) {
    return work.apply(this);
  }

  @Override
  public <T> T write(Function<Transaction, T> work) {
    return work.apply(this);
  }

  @Override
  public Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.MICROS);
  }

  @Override
  public Optional<String> find(DocumentKey key) {
    return Optional.ofNullable(documents.get(key)).map(Document::body);
  }

  @Override
  public long size(DocumentKey key) {
    return find(key).map(String::length).orElse(0);
  }

  @Override
  public void scan(Selection selection, Predicate<String> visitor) {
    for (Document document : documents.values()) {
      if (selection.includes(document) && !visitor.test(document.body())) {
        return;
      }
    }
  }

  /** Finds nothing, since entries are not kept. */
  @Override
  public void scanLog(
      TenantId tenantId,
      LogFilter filter,
      Optional<LogPosition> after,
      Predicate<RecordedEntry> visitor) {}

  @Override
  public void put(Document document) {
    documents.put(document.key(), document);
  }

  @Override
  public boolean delete(DocumentKey key) {
    return documents.remove(key) != null;
  }

  @Override
  public void deleteAll(TenantId tenantId) {
    documents.keySet().removeIf(key -> key.tenantId().equals(tenantId));
  }

  @Override
  public void append(List<AuditEntry> entries) {}
}
