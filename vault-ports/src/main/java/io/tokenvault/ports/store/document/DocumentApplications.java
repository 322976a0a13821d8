package io.tokenvault.ports.store.document;

import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.application.ApplicationSettings;
import io.tokenvault.domain.application.KeyGrace;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.ApplicationStore;
import io.tokenvault.ports.store.ApplicationStore.ApplicationFilter;
import io.tokenvault.ports.store.ApplicationStore.ApplicationUse;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.document.Credential.Owner;
import io.tokenvault.ports.store.document.Records.Match;
import io.tokenvault.ports.store.model.NewApplication;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

record DocumentApplications(Transactions transactions) implements ApplicationStore {

  @Override
  public Application create(NewApplication wanted, AuditEntry entry) {
    return transactions.write(
        records -> {
          records.requireTenant(wanted.tenantId());
          records.append(entry);
          return insert(records, wanted);
        });
  }

  /** Stores an application and its key without an entry. */
  static Application insert(RecordChanges records, NewApplication wanted) {
    addKey(records, wanted.tenantId(), wanted.id(), wanted.keyHash());
    return store(records, wanted.createdAt(records.now()));
  }

  private static void addKey(
      RecordChanges records, TenantId tenantId, ApplicationId id, KeyHash hash) {
    records.add(new Credential(Owner.APPLICATION, hash, tenantId, id.toString(), Optional.empty()));
  }

  private static Application store(RecordChanges records, Application application) {
    records.put(Kind.APPLICATION, application.tenantId(), application.id().toString(), application);
    return application;
  }

  @Override
  public Optional<Application> find(TenantId tenantId, ApplicationId id) {
    return transactions.read(records -> records.application(tenantId, id));
  }

  @Override
  public Page<Application> list(
      TenantId tenantId,
      ApplicationFilter filter,
      PageRequest request,
      MemoryReservation reservation) {
    return transactions.read(
        records ->
            records.page(
                Kind.APPLICATION,
                tenantId,
                Optional.empty(),
                each ->
                    !each.isExpired(records.now())
                        && (filter.ids().isEmpty() || filter.ids().contains(each.id()))
                        && (filter.types().isEmpty() || filter.types().contains(each.type())),
                each ->
                    new Match(
                        each.provenance().createdAt(),
                        each.id().toString(),
                        each.settings().policy().length()),
                request,
                reservation));
  }

  @Override
  public Optional<Application> update(
      TenantId tenantId,
      ApplicationId id,
      ExpectedVersion expected,
      ApplicationSettings settings,
      Optional<UUID> modifiedBy,
      AuditEntry entry) {
    return transactions.write(
        records ->
            at(records, tenantId, id, expected)
                .map(known -> known.update(settings, modifiedBy, records.now()))
                .map(changed -> replace(records, changed, entry)));
  }

  private static Optional<Application> at(
      Records records, TenantId tenantId, ApplicationId id, ExpectedVersion expected) {
    Optional<Application> known = records.application(tenantId, id);
    known.ifPresent(each -> expected.require(each.version()));
    return known;
  }

  private static Application replace(RecordChanges records, Application changed, AuditEntry entry) {
    records.append(entry);
    return store(records, changed);
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
    return transactions.write(
        records ->
            at(records, tenantId, id, expected)
                .map(
                    known -> {
                      endKeys(records, known, grace);
                      addKey(records, tenantId, id, keyHash);
                      return replace(records, known.regenerate(modifiedBy, records.now()), entry);
                    }));
  }

  private static void endKeys(RecordChanges records, Application known, KeyGrace grace) {
    String owner = known.id().toString();
    if (grace.isNone()) {
      records.deleteKeys(Owner.APPLICATION, known.tenantId(), owner);
      return;
    }
    List<Credential> keys =
        records.with(Kind.CREDENTIAL, known.tenantId(), Credential.term(Owner.APPLICATION, owner));
    if (keys.stream().filter(key -> !records.isOver(key.ends())).count()
        > KeyGrace.MOST_EARLIER_KEYS) {
      throw RefusedException.tooManyKeys(KeyGrace.MOST_EARLIER_KEYS);
    }
    Instant end = records.now().plus(grace.duration());
    keys.forEach(key -> records.put(key.endingBy(end)));
  }

  @Override
  public Deletion delete(
      TenantId tenantId, ApplicationId id, ExpectedVersion expected, AuditEntry entry) {
    return transactions.write(
        records -> {
          Optional<Application> known = at(records, tenantId, id, expected);
          if (known.isEmpty()) {
            return new Deletion.Absent();
          }
          List<ProxyId> proxies = proxiesThatName(records, known.get());
          if (!proxies.isEmpty()) {
            return new Deletion.NamedByProxies(proxies);
          }
          records.append(entry);
          remove(records, known.get());
          return new Deletion.Deleted();
        });
  }

  private static List<ProxyId> proxiesThatName(Records records, Application application) {
    return records.with(Kind.PROXY, application.tenantId(), Kind.term(application.id())).stream()
        .map(each -> each.proxy().id())
        .toList();
  }

  private static void remove(RecordChanges records, Application application) {
    TenantId tenantId = application.tenantId();
    String id = application.id().toString();
    records.delete(Kind.APPLICATION, tenantId, id);
    records.delete(Kind.USE, tenantId, id);
    records.deleteKeys(Owner.APPLICATION, tenantId, id);
    records
        .with(Kind.REQUEST, tenantId, Kind.term(application.id()))
        .forEach(each -> records.delete(Kind.REQUEST, tenantId, each.id().toString()));
  }

  @Override
  public int deleteExpired(int limit, Function<Application, AuditEntry> entry) {
    return transactions.write(
        records -> {
          List<Application> due =
              records
                  .due(Kind.APPLICATION, Integer.MAX_VALUE, each -> each.isExpired(records.now()))
                  .stream()
                  .filter(each -> proxiesThatName(records, each).isEmpty())
                  .limit(limit)
                  .toList();
          records.append(due.stream().map(entry).toList());
          due.forEach(each -> remove(records, each));
          return due.size();
        });
  }

  @Override
  public int deleteEndedKeys(int limit) {
    return transactions.write(
        records -> {
          List<Credential> due =
              records.due(Kind.CREDENTIAL, limit, each -> records.isOver(each.ends()));
          due.forEach(each -> records.delete(Kind.CREDENTIAL, each.tenantId(), each.id()));
          return due.size();
        });
  }

  @Override
  public void noteUses(Collection<ApplicationUse> uses) {
    transactions.write(
        records -> {
          uses.stream()
              .filter(use -> records.application(use.tenantId(), use.id()).isPresent())
              .filter(use -> isLater(records, use))
              .forEach(use -> records.put(Kind.USE, use.tenantId(), use.id().toString(), use));
          return uses.size();
        });
  }

  private static boolean isLater(Records records, ApplicationUse use) {
    return records
        .find(Kind.USE, use.tenantId(), use.id().toString())
        .map(known -> use.at().isAfter(known.at()))
        .orElse(true);
  }

  @Override
  public Map<ApplicationId, Instant> lastUses(TenantId tenantId, Collection<ApplicationId> ids) {
    return transactions.read(
        records -> {
          Map<ApplicationId, Instant> found = new HashMap<>();
          ids.forEach(
              id ->
                  records
                      .find(Kind.USE, tenantId, id.toString())
                      .ifPresent(use -> found.put(id, use.at())));
          return found;
        });
  }
}
