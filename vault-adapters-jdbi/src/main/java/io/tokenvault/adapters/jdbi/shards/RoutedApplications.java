package io.tokenvault.adapters.jdbi.shards;

import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.application.ApplicationSettings;
import io.tokenvault.domain.application.KeyGrace;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.spi.ApplicationFilter;
import io.tokenvault.ports.spi.ApplicationStore;
import io.tokenvault.ports.spi.ApplicationUse;
import io.tokenvault.ports.spi.KeyHash;
import io.tokenvault.ports.spi.MemoryReservation;
import io.tokenvault.ports.spi.NewApplication;
import io.tokenvault.ports.spi.Page;
import io.tokenvault.ports.spi.PageRequest;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Applications, each in the database of its tenant. */
record RoutedApplications(Shards shards) implements ApplicationStore {

  private <T> T ask(TenantId tenantId, Function<ApplicationStore, T> question) {
    return shards.of(tenantId).ask(ports -> question.apply(ports.stores().applications()));
  }

  @Override
  public Application create(NewApplication application, AuditEntry entry) {
    return ask(application.tenantId(), store -> store.create(application, entry));
  }

  @Override
  public Optional<Application> find(TenantId tenantId, ApplicationId id) {
    return ask(tenantId, store -> store.find(tenantId, id));
  }

  @Override
  public Page<Application> list(
      TenantId tenantId, ApplicationFilter filter, PageRequest request, MemoryReservation room) {
    return ask(tenantId, store -> store.list(tenantId, filter, request, room));
  }

  @Override
  public Optional<Application> update(
      TenantId tenantId,
      ApplicationId id,
      ExpectedVersion expected,
      ApplicationSettings settings,
      Optional<UUID> modifiedBy,
      AuditEntry entry) {
    return ask(
        tenantId, store -> store.update(tenantId, id, expected, settings, modifiedBy, entry));
  }

  @Override
  public Optional<Application> replaceKey(
      TenantId tenantId,
      ApplicationId id,
      ExpectedVersion expected,
      KeyHash keyHash,
      KeyGrace grace,
      Optional<UUID> modifiedBy,
      AuditEntry entry) {
    return ask(
        tenantId,
        store -> store.replaceKey(tenantId, id, expected, keyHash, grace, modifiedBy, entry));
  }

  @Override
  public Deletion delete(
      TenantId tenantId, ApplicationId id, ExpectedVersion expected, AuditEntry entry) {
    return ask(tenantId, store -> store.delete(tenantId, id, expected, entry));
  }

  @Override
  public int deleteExpired(int limit, Function<Application, AuditEntry> entry) {
    return shards.workOff(
        limit, (stores, left) -> stores.applications().deleteExpired(left, entry));
  }

  @Override
  public int deleteEndedKeys(int limit) {
    return shards.workOff(limit, (stores, left) -> stores.applications().deleteEndedKeys(left));
  }

  /** Those of a database that is away keep no other from being noted. */
  @Override
  public void noteUses(Collection<ApplicationUse> uses) {
    Map<Shard, List<ApplicationUse>> byShard =
        uses.stream().collect(Collectors.groupingBy(use -> shards.of(use.tenantId())));
    Optional<RefusedException> away = Optional.empty();
    for (Map.Entry<Shard, List<ApplicationUse>> each : byShard.entrySet()) {
      try {
        note(each.getKey(), each.getValue());
      } catch (RefusedException refused) {
        away = Optional.of(refused);
      }
    }
    if (away.isPresent()) {
      throw away.get();
    }
  }

  private static void note(Shard shard, List<ApplicationUse> uses) {
    shard.tell(ports -> ports.stores().applications().noteUses(uses));
  }

  @Override
  public Map<ApplicationId, Instant> lastUses(TenantId tenantId, Collection<ApplicationId> ids) {
    return ask(tenantId, store -> store.lastUses(tenantId, ids));
  }
}
