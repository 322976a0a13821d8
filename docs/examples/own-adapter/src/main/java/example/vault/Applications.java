package example.vault;

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

final class Applications implements ApplicationStore {

  private static final Comparator<Application> NEWEST_FIRST =
      Comparator.comparing((Application each) -> each.provenance().createdAt())
          .reversed()
          .thenComparing(each -> each.id().toString());

  private final Contents contents;
  private final Database database;

  Applications(Contents contents) {
    this.contents = contents;
    this.database = contents.database;
  }

  @Override
  public Application create(NewApplication wanted, AuditEntry entry) {
    return database.change(
        () -> {
          contents.requireTenant(wanted.tenantId());
          contents.entries.add(entry);
          return insert(wanted);
        });
  }

  /** Without an entry. */
  Application insert(NewApplication wanted) {
    Provenance provenance =
        new Provenance(wanted.createdBy(), database.now(), Optional.empty(), Optional.empty());
    contents.credentials.add(
        Credentials.APPLICATION, wanted.keyHash(), wanted.tenantId(), wanted.id().toString());
    return store(
        new Application(
            wanted.id(),
            wanted.tenantId(),
            wanted.type(),
            wanted.settings(),
            wanted.expiresAt(),
            wanted.delegatedBy(),
            provenance,
            1));
  }

  private Application store(Application application) {
    contents.applications.put(application.tenantId(), application.id().toString(), application);
    return application;
  }

  @Override
  public Optional<Application> find(TenantId tenantId, ApplicationId id) {
    return database.read(() -> contents.application(tenantId, id));
  }

  @Override
  public Page<Application> list(
      TenantId tenantId, ApplicationFilter filter, PageRequest request, MemoryReservation room) {
    Page<Application> page = page(tenantId, filter, request);
    room.take(page.items().stream().mapToLong(each -> each.settings().policy().length()).sum());
    return page;
  }

  private Page<Application> page(TenantId tenantId, ApplicationFilter filter, PageRequest request) {
    return database.read(
        () ->
            Contents.page(
                contents.applications.of(tenantId).stream()
                    .filter(each -> !database.isOver(each.expiresAt()))
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
    return database.change(
        () ->
            contents
                .application(tenantId, id)
                .map(
                    known -> {
                      expected.require(known.version());
                      return replace(known, settings, modifiedBy, entry);
                    }));
  }

  private Application replace(
      Application known, ApplicationSettings settings, Optional<UUID> by, AuditEntry entry) {
    contents.entries.add(entry);
    Provenance provenance =
        new Provenance(
            known.provenance().createdBy(),
            known.provenance().createdAt(),
            by,
            Optional.of(database.now()));
    return store(
        new Application(
            known.id(),
            known.tenantId(),
            known.type(),
            settings,
            known.expiresAt(),
            known.delegatedBy(),
            provenance,
            known.version() + 1));
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
    return database.change(
        () ->
            contents
                .application(tenantId, id)
                .map(
                    known -> {
                      expected.require(known.version());
                      endKeys(known, grace);
                      contents.credentials.add(
                          Credentials.APPLICATION, keyHash, tenantId, id.toString());
                      return replace(known, known.settings(), modifiedBy, entry);
                    }));
  }

  private void endKeys(Application known, KeyGrace grace) {
    String owner = known.id().toString();
    if (grace.isNone()) {
      contents.credentials.remove(Credentials.APPLICATION, known.tenantId(), owner);
      return;
    }
    long working =
        contents.credentials.of(Credentials.APPLICATION, known.tenantId(), owner).stream()
            .filter(key -> !database.isOver(key.ends()))
            .count();
    if (working > KeyGrace.MOST_EARLIER_KEYS) {
      throw RefusedException.tooManyKeys(KeyGrace.MOST_EARLIER_KEYS);
    }
    Instant end = database.now().plus(grace.duration());
    contents.credentials.end(Credentials.APPLICATION, known.tenantId(), owner, end);
  }

  @Override
  public Deletion delete(
      TenantId tenantId, ApplicationId id, ExpectedVersion expected, AuditEntry entry) {
    return database.change(
        () -> {
          Optional<Application> known = contents.application(tenantId, id);
          if (known.isEmpty()) {
            return new Deletion.Absent();
          }
          expected.require(known.get().version());
          List<ProxyId> proxies = proxiesThatName(tenantId, id);
          if (!proxies.isEmpty()) {
            return new Deletion.NamedByProxies(proxies);
          }
          remove(known.get());
          contents.entries.add(entry);
          return new Deletion.Deleted();
        });
  }

  private List<ProxyId> proxiesThatName(TenantId tenantId, ApplicationId id) {
    return contents.proxies.of(tenantId).stream()
        .filter(each -> each.proxy().settings().applicationId().equals(Optional.of(id)))
        .map(each -> each.proxy().id())
        .toList();
  }

  private void remove(Application application) {
    TenantId tenantId = application.tenantId();
    String id = application.id().toString();
    contents.applications.remove(tenantId, id);
    contents.uses.remove(tenantId, id);
    contents.credentials.remove(Credentials.APPLICATION, tenantId, id);
  }

  @Override
  public int deleteExpired(int limit, Function<Application, AuditEntry> entry) {
    return database.change(
        () -> {
          List<Application> due =
              contents.applications.due().stream()
                  .filter(each -> proxiesThatName(each.tenantId(), each.id()).isEmpty())
                  .limit(limit)
                  .toList();
          due.forEach(this::remove);
          contents.entries.add(due.stream().map(entry).toList());
          return due.size();
        });
  }

  @Override
  public int deleteEndedKeys(int limit) {
    return database.change(() -> contents.credentials.removeEnded(limit));
  }

  @Override
  public void noteUses(Collection<ApplicationUse> uses) {
    database.change(
        () -> {
          uses.stream()
              .filter(use -> contents.application(use.tenantId(), use.id()).isPresent())
              .filter(this::isLater)
              .forEach(use -> contents.uses.put(use.tenantId(), use.id().toString(), use));
          return uses.size();
        });
  }

  private boolean isLater(ApplicationUse use) {
    return contents
        .uses
        .find(use.tenantId(), use.id().toString())
        .map(known -> use.at().isAfter(known.at()))
        .orElse(true);
  }

  @Override
  public Map<ApplicationId, Instant> lastUses(TenantId tenantId, Collection<ApplicationId> ids) {
    return database.read(
        () ->
            contents.uses.of(tenantId).stream()
                .filter(use -> ids.contains(use.id()))
                .collect(Collectors.toMap(ApplicationUse::id, ApplicationUse::at)));
  }
}
