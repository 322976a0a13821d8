package io.tokenvault.ports.memory;

import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.application.ApplicationSettings;
import io.tokenvault.domain.application.KeyGrace;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.tenant.Provenance;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.memory.Memory.InTenant;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.ApplicationFilter;
import io.tokenvault.ports.store.ApplicationStore;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.model.ApplicationUse;
import io.tokenvault.ports.store.model.NewApplication;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

final class InMemoryApplications implements ApplicationStore {

  private static final Comparator<Application> NEWEST_FIRST =
      Comparator.comparing((Application each) -> each.provenance().createdAt())
          .reversed()
          .thenComparing(each -> each.id().value(), Memory.byText());

  private final Memory memory;

  InMemoryApplications(Memory memory) {
    this.memory = memory;
  }

  @Override
  public Application create(NewApplication application, AuditEntry entry) {
    return memory.change(
        () -> {
          memory.requireEntries();
          memory.requireTenant(application.tenantId());
          Application created = insert(memory, application);
          memory.add(entry);
          return created;
        });
  }

  static Application insert(Memory memory, NewApplication application) {
    Application created =
        new Application(
            application.id(),
            application.tenantId(),
            application.type(),
            application.settings(),
            application.expiresAt(),
            application.delegatedBy(),
            new Provenance(
                application.createdBy(), memory.now(), Optional.empty(), Optional.empty()),
            1);
    InTenant<ApplicationId> key = new InTenant<>(application.tenantId(), application.id());
    memory.applications.put(key, created);
    memory.apiKeys.put(application.keyHash(), key);
    return created;
  }

  @Override
  public Optional<Application> find(TenantId tenantId, ApplicationId id) {
    return memory.read(() -> memory.application(tenantId, id));
  }

  @Override
  public Page<Application> list(
      TenantId tenantId,
      ApplicationFilter filter,
      PageRequest request,
      MemoryReservation reservation) {
    Page<Application> page = page(tenantId, filter, request);
    reservation.take(
        page.items().stream().mapToLong(each -> each.settings().policy().length()).sum());
    return page;
  }

  private Page<Application> page(TenantId tenantId, ApplicationFilter filter, PageRequest request) {
    return memory.read(
        () ->
            Memory.page(
                memory.applications.values().stream()
                    .filter(each -> each.tenantId().equals(tenantId))
                    .filter(each -> !memory.isOver(each.expiresAt()))
                    .filter(each -> filter.ids().isEmpty() || filter.ids().contains(each.id()))
                    .filter(
                        each -> filter.types().isEmpty() || filter.types().contains(each.type()))
                    .sorted(NEWEST_FIRST)
                    .toList(),
                request));
  }

  @Override
  public Optional<Application> update(
      TenantId tenantId,
      ApplicationId id,
      ExpectedVersion expected,
      ApplicationSettings settings,
      Optional<UUID> modifiedBy,
      AuditEntry entry) {
    return memory.change(
        () ->
            memory
                .application(tenantId, id)
                .map(
                    known -> {
                      expected.require(known.version());
                      return replace(known, settings, modifiedBy, entry);
                    }));
  }

  private Application replace(
      Application known, ApplicationSettings settings, Optional<UUID> by, AuditEntry entry) {
    memory.requireEntries();
    Application changed =
        new Application(
            known.id(),
            known.tenantId(),
            known.type(),
            settings,
            known.expiresAt(),
            known.delegatedBy(),
            new Provenance(
                known.provenance().createdBy(),
                known.provenance().createdAt(),
                by,
                Optional.of(memory.now())),
            known.version() + 1);
    memory.applications.put(new InTenant<>(known.tenantId(), known.id()), changed);
    memory.add(entry);
    return changed;
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
    return memory.change(
        () ->
            memory
                .application(tenantId, id)
                .map(
                    known -> {
                      expected.require(known.version());
                      requireRoomForKeys(known, grace);
                      Application changed = replace(known, known.settings(), modifiedBy, entry);
                      endKeys(new InTenant<>(tenantId, id), grace);
                      memory.apiKeys.put(keyHash, new InTenant<>(tenantId, id));
                      return changed;
                    }));
  }

  private void requireRoomForKeys(Application known, KeyGrace grace) {
    long working =
        keysOf(new InTenant<>(known.tenantId(), known.id())).stream()
            .filter(hash -> !memory.isOver(endOf(hash)))
            .count();
    if (!grace.isNone() && working > KeyGrace.MOST_EARLIER_KEYS) {
      throw RefusedException.tooManyKeys(KeyGrace.MOST_EARLIER_KEYS);
    }
  }

  private void endKeys(InTenant<ApplicationId> owner, KeyGrace grace) {
    if (grace.isNone()) {
      forget(keysOf(owner));
      return;
    }
    Instant end = memory.now().plus(grace.duration());
    keysOf(owner)
        .forEach(hash -> memory.apiKeyEnds.merge(hash, end, (a, b) -> a.isBefore(b) ? a : b));
  }

  private List<KeyHash> keysOf(InTenant<ApplicationId> owner) {
    return memory.apiKeys.entrySet().stream()
        .filter(each -> each.getValue().equals(owner))
        .map(Map.Entry::getKey)
        .toList();
  }

  private Optional<Instant> endOf(KeyHash hash) {
    return Optional.ofNullable(memory.apiKeyEnds.get(hash));
  }

  private void forget(Collection<KeyHash> hashes) {
    hashes.forEach(memory.apiKeys::remove);
    hashes.forEach(memory.apiKeyEnds::remove);
  }

  @Override
  public int deleteEndedKeys(int limit) {
    return memory.change(
        () -> {
          List<KeyHash> due =
              memory.apiKeyEnds.keySet().stream()
                  .filter(hash -> memory.isOver(endOf(hash)))
                  .limit(limit)
                  .toList();
          forget(due);
          return due.size();
        });
  }

  @Override
  public void noteUses(Collection<ApplicationUse> uses) {
    memory.change(
        () -> {
          uses.stream()
              .filter(use -> memory.application(use.tenantId(), use.id()).isPresent())
              .forEach(
                  use ->
                      memory.lastUses.merge(
                          new InTenant<>(use.tenantId(), use.id()),
                          use.at(),
                          (a, b) -> a.isAfter(b) ? a : b));
          return uses.size();
        });
  }

  @Override
  public Map<ApplicationId, Instant> lastUses(TenantId tenantId, Collection<ApplicationId> ids) {
    return memory.read(
        () ->
            memory.lastUses.entrySet().stream()
                .filter(each -> each.getKey().tenantId().equals(tenantId))
                .filter(each -> ids.contains(each.getKey().id()))
                .collect(Collectors.toMap(each -> each.getKey().id(), Map.Entry::getValue)));
  }

  @Override
  public Deletion delete(
      TenantId tenantId, ApplicationId id, ExpectedVersion expected, AuditEntry entry) {
    return memory.change(
        () -> {
          Optional<Application> known = memory.application(tenantId, id);
          if (known.isEmpty()) {
            return new Deletion.Absent();
          }
          expected.require(known.get().version());
          List<ProxyId> proxies = proxiesThatName(tenantId, id);
          if (!proxies.isEmpty()) {
            return new Deletion.NamedByProxies(proxies);
          }
          memory.requireEntries();
          remove(new InTenant<>(tenantId, id));
          memory.add(entry);
          return new Deletion.Deleted();
        });
  }

  private List<ProxyId> proxiesThatName(TenantId tenantId, ApplicationId id) {
    return memory.proxies.values().stream()
        .map(stored -> stored.proxy())
        .filter(proxy -> proxy.tenantId().equals(tenantId))
        .filter(proxy -> proxy.settings().applicationId().equals(Optional.of(id)))
        .map(proxy -> proxy.id())
        .toList();
  }

  private void remove(InTenant<ApplicationId> key) {
    memory.applications.remove(key);
    memory.lastUses.remove(key);
    memory
        .requests
        .entrySet()
        .removeIf(
            each ->
                each.getKey().tenantId().equals(key.tenantId())
                    && each.getValue().applicationId().equals(key.id()));
    forget(keysOf(key));
  }

  @Override
  public int deleteExpired(int limit, Function<Application, AuditEntry> entry) {
    return memory.change(
        () -> {
          List<Application> due =
              memory.applications.values().stream()
                  .filter(each -> memory.isOver(each.expiresAt()))
                  .filter(each -> proxiesThatName(each.tenantId(), each.id()).isEmpty())
                  .limit(limit)
                  .toList();
          if (!due.isEmpty()) {
            memory.requireEntries();
          }
          due.forEach(each -> remove(new InTenant<>(each.tenantId(), each.id())));
          memory.add(due.stream().map(entry).toList());
          return due.size();
        });
  }
}
