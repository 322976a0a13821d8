package io.tokenvault.ports.store.document;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.RequestJournal;
import io.tokenvault.ports.store.RequestJournal.IdempotentRequest;
import io.tokenvault.ports.store.RequestJournal.JournalState.Completed;
import io.tokenvault.ports.store.RequestJournal.JournalState.Different;
import io.tokenvault.ports.store.RequestJournal.JournalState.First;
import io.tokenvault.ports.store.RequestJournal.JournalState.Lost;
import io.tokenvault.ports.store.RequestJournal.JournalState.Running;
import io.tokenvault.ports.store.RequestJournal.JournalState.Stale;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Idempotent requests. In this process, a request that is being executed is known without the
 * storage; other processes wait for its transaction.
 */
final class DocumentRequests implements RequestJournal {

  private final Transactions transactions;
  private final Set<String> executing = ConcurrentHashMap.newKeySet();

  DocumentRequests(Transactions transactions) {
    this.transactions = transactions;
  }

  @Override
  public JournalState once(
      IdempotentRequest request, MemoryReservation reservation, Supplier<StoredResponse> work) {
    String place = place(request);
    if (!executing.add(place)) {
      return new Running();
    }
    try {
      return transactions.unit(
          records ->
              find(records, request, reservation)
                  .orElseGet(
                      () -> {
                        StoredResponse response = work.get();
                        RequestRecord stored =
                            RequestRecord.of(request, Optional.empty(), records.now());
                        put(records, stored.completed(response, records.now()));
                        return new First();
                      }));
    } finally {
      executing.remove(place);
    }
  }

  private static String place(IdempotentRequest request) {
    return request.tenantId() + " " + request.applicationId() + " " + request.oldestPlace();
  }

  @Override
  public JournalState announce(
      IdempotentRequest request, Duration running, MemoryReservation reservation) {
    if (executing.contains(place(request))) {
      return new Running();
    }
    return transactions.write(
        records ->
            find(records, request, reservation)
                .orElseGet(
                    () -> {
                      Instant now = records.now();
                      put(records, RequestRecord.of(request, Optional.of(now.plus(running)), now));
                      return new First();
                    }));
  }

  private static Optional<JournalState> find(
      RecordChanges records, IdempotentRequest request, MemoryReservation reservation) {
    TenantId tenantId = request.tenantId();
    records.requireTenant(tenantId);
    records.requireKeys(tenantId);
    TenantKeys keys = records.find(Kind.KEYS, tenantId).orElseThrow();
    if (keys.keys().size() != request.keyCount()) {
      return Optional.of(new Stale());
    }
    List<RequestRecord> known =
        request.places().stream()
            .map(place -> RequestRecord.term(request.applicationId(), place.hex()))
            .flatMap(term -> records.with(Kind.REQUEST, tenantId, term).stream())
            .toList();
    known.stream().filter(each -> isOver(records, each)).forEach(each -> delete(records, each));
    return known.stream()
        .filter(each -> !isOver(records, each))
        .findFirst()
        .map(each -> state(records, request, each, reservation));
  }

  private static boolean isOver(Records records, RequestRecord stored) {
    return records.isOver(Optional.of(stored.expiresAt()));
  }

  private static JournalState state(
      Records records,
      IdempotentRequest request,
      RequestRecord known,
      MemoryReservation reservation) {
    if (!known.isEqual(request)) {
      return new Different();
    }
    if (known.runningUntil().isPresent()) {
      return records.isOver(known.runningUntil()) ? new Lost() : new Running();
    }
    Optional<EncryptedValue> response =
        known.answer().filter(unused -> !records.isOver(known.answerUntil()));
    reservation.take(response.map(EncryptedValue::size).orElse(0));
    return new Completed(known.id(), response, known.subjects());
  }

  private static void put(RecordChanges records, RequestRecord stored) {
    records.put(Kind.REQUEST, stored.tenantId(), stored.id().toString(), stored);
  }

  private static boolean delete(RecordChanges records, RequestRecord stored) {
    return records.delete(Kind.REQUEST, stored.tenantId(), stored.id().toString());
  }

  @Override
  public boolean complete(TenantId tenantId, UUID id, StoredResponse response) {
    return transactions.write(
        records ->
            change(records, tenantId, id, stored -> stored.completed(response, records.now())));
  }

  @Override
  public void abandon(TenantId tenantId, UUID id) {
    transactions.write(
        records -> change(records, tenantId, id, stored -> stored.runningUntil(records.now())));
  }

  @Override
  public void prolong(Collection<Announced> requests, Duration running) {
    transactions.write(
        records -> {
          Instant end = records.now().plus(running);
          requests.forEach(
              each ->
                  change(records, each.tenantId(), each.id(), stored -> stored.runningUntil(end)));
          return end;
        });
  }

  /** Changes a request that has no response yet; returns whether there is one. */
  private static boolean change(
      RecordChanges records,
      TenantId tenantId,
      UUID id,
      Function<RequestRecord, RequestRecord> change) {
    Optional<RequestRecord> known = running(records, tenantId, id);
    known.ifPresent(each -> put(records, change.apply(each)));
    return known.isPresent();
  }

  private static Optional<RequestRecord> running(Records records, TenantId tenantId, UUID id) {
    return records
        .find(Kind.REQUEST, tenantId, id.toString())
        .filter(each -> each.runningUntil().isPresent());
  }

  @Override
  public void withdraw(TenantId tenantId, UUID id) {
    transactions.write(
        records -> running(records, tenantId, id).map(each -> delete(records, each)).orElse(false));
  }

  @Override
  public int deleteExpired(int limit) {
    return transactions.write(
        records -> {
          List<RequestRecord> due = records.due(Kind.REQUEST, limit, each -> isOver(records, each));
          due.forEach(each -> delete(records, each));
          return due.size();
        });
  }

  @Override
  public int deleteExpiredResponses(int limit) {
    return transactions.write(
        records -> {
          List<RequestRecord> due =
              records.due(
                  Kind.REQUEST,
                  limit,
                  each -> each.answer().isPresent() && records.isOver(each.answerUntil()));
          due.forEach(each -> put(records, each.with(Optional.empty())));
          return due.size();
        });
  }
}
