package io.tokenvault.ports.memory;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.audit.LogPosition;
import io.tokenvault.ports.store.document.Storage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** A storage in memory, for tests. It runs one transaction at a time. */
final class MemoryStorage implements Storage {

  private static final Comparator<RecordedEntry> LATEST_FIRST =
      Comparator.comparing(RecordedEntry::createdAt)
          .thenComparing(RecordedEntry::sequence)
          .reversed();

  /** All entries, by sequence number. */
  final List<RecordedEntry> log = new ArrayList<>();

  private final InstantSource clock;
  private final Map<DocumentKey, Document> documents = new HashMap<>();
  private long sequence;
  private Duration clockOffset = Duration.ZERO;
  private boolean broken;
  private boolean entriesRefused;

  MemoryStorage(InstantSource clock) {
    this.clock = clock;
  }

  synchronized void breakConnection() {
    broken = true;
  }

  synchronized void refuseEntries() {
    entriesRefused = true;
  }

  synchronized void clearFaults() {
    broken = false;
    entriesRefused = false;
  }

  synchronized void putClockForward(Instant moment) {
    if (now().isBefore(moment)) {
      clockOffset = clockOffset.plus(Duration.between(now(), moment));
    }
  }

  private Instant now() {
    return clock.instant().plus(clockOffset).truncatedTo(ChronoUnit.MICROS);
  }

  @Override
  public synchronized boolean isReady() {
    return !broken;
  }

  @Override
  public <T> T read(Function<Snapshot, T> work) {
    return write(work::apply);
  }

  @Override
  public synchronized <T> T write(Function<Transaction, T> work) {
    if (broken) {
      throw RefusedException.unavailable(null);
    }
    UndoableTransaction transaction = new UndoableTransaction();
    try {
      return work.apply(transaction);
    } catch (RuntimeException | Error failed) {
      transaction.undo();
      throw failed;
    }
  }

  /** A transaction that records how to undo its changes. */
  private final class UndoableTransaction implements Transaction {

    private final Deque<Runnable> undoSteps = new ArrayDeque<>();

    void undo() {
      undoSteps.forEach(Runnable::run);
    }

    @Override
    public Instant now() {
      return MemoryStorage.this.now();
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
      boolean unused =
          documents.values().stream()
              .filter(selection::includes)
              .sorted(Comparator.comparing(each -> each.due().orElse(Instant.MAX)))
              .map(Document::body)
              .allMatch(visitor);
    }

    @Override
    public void scanLog(
        TenantId tenantId,
        LogFilter filter,
        Optional<LogPosition> after,
        Predicate<RecordedEntry> visitor) {
      boolean unused =
          log.stream()
              .filter(each -> each.entry().tenantId().equals(tenantId))
              .filter(each -> after.map(position -> isEarlier(each, position)).orElse(true))
              .sorted(LATEST_FIRST)
              .allMatch(visitor);
    }

    private static boolean isEarlier(RecordedEntry entry, LogPosition position) {
      int order = entry.createdAt().compareTo(position.createdAt());
      return order < 0 || (order == 0 && entry.sequence() < position.sequence());
    }

    @Override
    public void put(Document document) {
      replace(document.key(), document);
    }

    @Override
    public boolean delete(DocumentKey key) {
      return replace(key, null) != null;
    }

    /** Puts a document, or deletes it if it is null, and returns the previous one. */
    private Document replace(DocumentKey key, Document document) {
      Document before = set(key, document);
      undoSteps.push(() -> set(key, before));
      return before;
    }

    private Document set(DocumentKey key, Document document) {
      return document == null ? documents.remove(key) : documents.put(key, document);
    }

    @Override
    public void deleteAll(TenantId tenantId) {
      List.copyOf(documents.keySet()).stream()
          .filter(key -> key.tenantId().equals(tenantId))
          .forEach(this::delete);
    }

    @Override
    public void append(List<AuditEntry> entries) {
      if (entriesRefused && !entries.isEmpty()) {
        throw RefusedException.unavailable(null);
      }
      Instant now = now();
      for (AuditEntry entry : entries) {
        RecordedEntry recorded = new RecordedEntry(entry, now, ++sequence);
        log.add(recorded);
        undoSteps.push(() -> log.remove(recorded));
      }
    }
  }
}
