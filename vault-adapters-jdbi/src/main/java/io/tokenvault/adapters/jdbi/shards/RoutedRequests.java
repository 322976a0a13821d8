package io.tokenvault.adapters.jdbi.shards;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.spi.KeyedRequest;
import io.tokenvault.ports.spi.MemoryReservation;
import io.tokenvault.ports.spi.RequestJournal;
import java.time.Duration;
import java.util.Collection;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Requests that may be sent again, each in the database of its tenant. */
record RoutedRequests(Shards shards) implements RequestJournal {

  private <T> T ask(TenantId tenantId, Function<RequestJournal, T> question) {
    return shards.of(tenantId).ask(ports -> question.apply(ports.stores().requestJournal()));
  }

  private void tell(TenantId tenantId, Consumer<RequestJournal> message) {
    shards.of(tenantId).tell(ports -> message.accept(ports.stores().requestJournal()));
  }

  @Override
  public Meeting once(KeyedRequest request, MemoryReservation room, Supplier<Given> work) {
    return ask(request.tenantId(), journal -> journal.once(request, room, work));
  }

  @Override
  public Meeting announce(KeyedRequest request, Duration running, MemoryReservation room) {
    return ask(request.tenantId(), journal -> journal.announce(request, running, room));
  }

  @Override
  public boolean answer(TenantId tenantId, UUID id, Given given) {
    return ask(tenantId, journal -> journal.answer(tenantId, id, given));
  }

  @Override
  public void withdraw(TenantId tenantId, UUID id) {
    tell(tenantId, journal -> journal.withdraw(tenantId, id));
  }

  @Override
  public void abandon(TenantId tenantId, UUID id) {
    tell(tenantId, journal -> journal.abandon(tenantId, id));
  }

  @Override
  public void prolong(Collection<Announced> requests, Duration running) {
    requests.stream()
        .collect(Collectors.groupingBy(Announced::tenantId))
        .forEach((tenantId, own) -> tell(tenantId, journal -> journal.prolong(own, running)));
  }

  @Override
  public int deleteExpired(int limit) {
    return shards.workOff(limit, (stores, left) -> stores.requestJournal().deleteExpired(left));
  }

  @Override
  public int deleteExpiredAnswers(int limit) {
    return shards.workOff(
        limit, (stores, left) -> stores.requestJournal().deleteExpiredAnswers(left));
  }
}
