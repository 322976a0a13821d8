package io.tokenvault.ports.memory;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.crypto.TokenHash;
import io.tokenvault.ports.memory.Memory.InTenant;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.RequestJournal;
import io.tokenvault.ports.store.RequestJournal.Meeting.Answered;
import io.tokenvault.ports.store.RequestJournal.Meeting.Different;
import io.tokenvault.ports.store.RequestJournal.Meeting.First;
import io.tokenvault.ports.store.RequestJournal.Meeting.Lost;
import io.tokenvault.ports.store.RequestJournal.Meeting.Running;
import io.tokenvault.ports.store.RequestJournal.Meeting.Stale;
import io.tokenvault.ports.store.model.IdempotentRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Work holds the one lock, so that nobody sees what may be undone. */
final class InMemoryRequests implements RequestJournal {

  private final Memory memory;

  InMemoryRequests(Memory memory) {
    this.memory = memory;
  }

  @Override
  public Meeting once(
      IdempotentRequest request, MemoryReservation reservation, Supplier<Given> work) {
    String place = place(request);
    if (!memory.beingWorkedOn.add(place)) {
      return new Running();
    }
    try {
      return memory.change(
          () -> met(request, reservation).orElseGet(() -> carryOut(request, work)));
    } finally {
      memory.beingWorkedOn.remove(place);
    }
  }

  private static String place(IdempotentRequest request) {
    return request.tenantId() + " " + request.applicationId() + request.oldestPlace();
  }

  private Meeting carryOut(IdempotentRequest request, Supplier<Given> work) {
    Runnable undo = memory.changes();
    try {
      Given given = work.get();
      KeptRequest kept = kept(request, Optional.empty());
      put(request.tenantId(), answered(kept, given));
      return new First();
    } catch (RuntimeException | Error failed) {
      undo.run();
      throw failed;
    }
  }

  @Override
  public Meeting announce(
      IdempotentRequest request, Duration running, MemoryReservation reservation) {
    if (memory.beingWorkedOn.contains(place(request))) {
      return new Running();
    }
    return memory.change(
        () ->
            met(request, reservation)
                .orElseGet(
                    () -> {
                      put(
                          request.tenantId(),
                          kept(request, Optional.of(memory.now().plus(running))));
                      return new First();
                    }));
  }

  private Optional<Meeting> met(IdempotentRequest request, MemoryReservation reservation) {
    memory.requireTenant(request.tenantId());
    memory.requireKeys(request.tenantId());
    if (memory.keys.get(request.tenantId()).keys().size() != request.keyCount()) {
      return Optional.of(new Stale());
    }
    List<String> places = request.places().stream().map(TokenHash::hex).toList();
    Predicate<KeptRequest> same =
        each ->
            each.applicationId().equals(request.applicationId()) && places.contains(each.place());
    remove(request.tenantId(), same.and(this::isOver));
    return memory.requests.entrySet().stream()
        .filter(each -> each.getKey().tenantId().equals(request.tenantId()))
        .map(each -> each.getValue())
        .filter(same)
        .findFirst()
        .map(known -> meeting(request, known, reservation));
  }

  private Meeting meeting(
      IdempotentRequest request, KeptRequest known, MemoryReservation reservation) {
    if (request.contents().stream().map(TokenHash::hex).noneMatch(known.content()::equals)) {
      return new Different();
    }
    if (known.runningUntil().isPresent()) {
      return memory.isOver(known.runningUntil()) ? new Lost() : new Running();
    }
    Optional<EncryptedValue> response =
        known.answer().filter(unused -> !memory.isOver(known.answerUntil()));
    reservation.take(response.map(EncryptedValue::size).orElse(0));
    return new Answered(known.id(), response, known.subjects());
  }

  private KeptRequest kept(IdempotentRequest request, Optional<Instant> runningUntil) {
    return new KeptRequest(
        request.id(),
        request.applicationId(),
        request.places().get(0).hex(),
        request.contents().get(0).hex(),
        runningUntil,
        Optional.empty(),
        List.of(),
        Optional.empty(),
        memory.now().plus(request.kept()));
  }

  private KeptRequest answered(KeptRequest kept, Given given) {
    return kept.answered(given.answer(), given.subjects(), given.kept().map(memory.now()::plus));
  }

  private void put(TenantId tenantId, KeptRequest kept) {
    memory.requests.put(new InTenant<>(tenantId, kept.id()), kept);
  }

  @Override
  public boolean complete(TenantId tenantId, UUID id, Given given) {
    return memory.change(
        () -> {
          Optional<KeptRequest> known = running(tenantId, id);
          known.ifPresent(each -> put(tenantId, answered(each, given)));
          return known.isPresent();
        });
  }

  private Optional<KeptRequest> running(TenantId tenantId, UUID id) {
    return Optional.ofNullable(memory.requests.get(new InTenant<>(tenantId, id)))
        .filter(each -> each.runningUntil().isPresent());
  }

  @Override
  public void withdraw(TenantId tenantId, UUID id) {
    memory.change(
        () ->
            running(tenantId, id)
                .map(each -> memory.requests.remove(new InTenant<>(tenantId, each.id()))));
  }

  @Override
  public void abandon(TenantId tenantId, UUID id) {
    runUntil(tenantId, id, memory.now());
  }

  @Override
  public void prolong(Collection<Announced> requests, Duration running) {
    requests.forEach(each -> runUntil(each.tenantId(), each.id(), memory.now().plus(running)));
  }

  private void runUntil(TenantId tenantId, UUID id, Instant end) {
    memory.change(
        () -> {
          Optional<KeptRequest> known = running(tenantId, id);
          known.ifPresent(each -> put(tenantId, each.runningUntil(end)));
          return known;
        });
  }

  private boolean isOver(KeptRequest kept) {
    return memory.isOver(Optional.of(kept.expiresAt()));
  }

  private void remove(TenantId tenantId, Predicate<KeptRequest> condition) {
    memory
        .requests
        .entrySet()
        .removeIf(
            each -> each.getKey().tenantId().equals(tenantId) && condition.test(each.getValue()));
  }

  @Override
  public int deleteExpired(int limit) {
    return memory.change(
        () -> {
          List<InTenant<UUID>> due = due(limit, this::isOver);
          due.forEach(memory.requests::remove);
          return due.size();
        });
  }

  @Override
  public int deleteExpiredResponses(int limit) {
    return memory.change(
        () -> {
          List<InTenant<UUID>> due =
              due(limit, each -> each.answer().isPresent() && memory.isOver(each.answerUntil()));
          due.forEach(
              each ->
                  memory.requests.computeIfPresent(
                      each, (key, kept) -> kept.with(Optional.empty())));
          return due.size();
        });
  }

  private List<InTenant<UUID>> due(int limit, Predicate<KeptRequest> condition) {
    List<InTenant<UUID>> due = new ArrayList<>();
    memory.requests.forEach(
        (key, kept) -> {
          if (due.size() < limit && condition.test(kept)) {
            due.add(key);
          }
        });
    return due;
  }
}
