package example.vault;

import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.proxy.Proxy;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.ProxySettings;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.tenant.Provenance;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.EncryptedValue;
import io.tokenvault.ports.runtime.MemoryReservation;
import io.tokenvault.ports.store.Page;
import io.tokenvault.ports.store.PageRequest;
import io.tokenvault.ports.store.ProxyFilter;
import io.tokenvault.ports.store.ProxyStore;
import io.tokenvault.ports.store.model.EncryptedTransform;
import io.tokenvault.ports.store.model.NewProxy;
import io.tokenvault.ports.store.model.StoredProxy;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

final class Proxies implements ProxyStore {

  private static final Comparator<StoredProxy> NEWEST_FIRST =
      Comparator.comparing((StoredProxy each) -> each.proxy().provenance().createdAt())
          .reversed()
          .thenComparing(each -> each.proxy().id().toString());

  private final Contents contents;
  private final Database database;

  Proxies(Contents contents) {
    this.contents = contents;
    this.database = contents.database;
  }

  @Override
  public Change create(NewProxy wanted, AuditEntry entry) {
    return database.change(
        () -> {
          contents.requireTenant(wanted.tenantId());
          contents.requireKeys(wanted.tenantId());
          if (!exists(wanted.tenantId(), wanted.settings().applicationId())) {
            return new Change.ApplicationMissing();
          }
          Provenance provenance =
              new Provenance(
                  Optional.of(wanted.createdBy()),
                  database.now(),
                  Optional.empty(),
                  Optional.empty());
          Proxy proxy = new Proxy(wanted.id(), wanted.tenantId(), wanted.settings(), provenance, 1);
          contents.credentials.add(
              Credentials.PROXY, wanted.keyHash(), wanted.tenantId(), wanted.id().toString());
          return store(
              new StoredProxy(proxy, wanted.key(), wanted.configuration(), wanted.transforms()),
              entry);
        });
  }

  private boolean exists(TenantId tenantId, Optional<ApplicationId> application) {
    return application.map(id -> contents.application(tenantId, id).isPresent()).orElse(true);
  }

  private Change store(StoredProxy stored, AuditEntry entry) {
    put(stored);
    contents.entries.add(entry);
    return new Change.Stored(stored);
  }

  private void put(StoredProxy stored) {
    contents.proxies.put(stored.proxy().tenantId(), stored.proxy().id().toString(), stored);
  }

  @Override
  public Optional<StoredProxy> find(TenantId tenantId, ProxyId id) {
    return database.read(() -> contents.proxy(tenantId, id));
  }

  @Override
  public Page<StoredProxy> list(
      TenantId tenantId, ProxyFilter filter, PageRequest request, MemoryReservation room) {
    Predicate<String> name = filter.name().map(Proxies::pattern).orElse(any -> true);
    Page<StoredProxy> page =
        database.read(
            () ->
                Contents.page(
                    contents.proxies.of(tenantId).stream()
                        .filter(
                            each ->
                                filter.ids().isEmpty() || filter.ids().contains(each.proxy().id()))
                        .filter(each -> name.test(each.proxy().settings().name().value()))
                        .sorted(NEWEST_FIRST)
                        .toList(),
                    request));
    room.take(page.items().stream().mapToLong(StoredProxy::size).sum());
    return page;
  }

  private static Predicate<String> pattern(String name) {
    String wanted = name.contains("*") ? name : "*" + name + "*";
    String regex =
        Arrays.stream(wanted.split("\\*", -1))
            .map(Pattern::quote)
            .collect(Collectors.joining(".*"));
    return Pattern.compile(regex, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE | Pattern.DOTALL)
        .asMatchPredicate();
  }

  @Override
  public Change update(
      TenantId tenantId,
      ProxyId id,
      ExpectedVersion expected,
      ProxySettings settings,
      EncryptedValue configuration,
      Map<TransformKind, EncryptedTransform> transforms,
      UUID modifiedBy,
      AuditEntry entry) {
    return database.change(
        () -> {
          contents.requireKeys(tenantId);
          Optional<StoredProxy> known = contents.proxy(tenantId, id);
          if (known.isEmpty()) {
            return new Change.Absent();
          }
          expected.require(known.get().proxy().version());
          if (!exists(tenantId, settings.applicationId())) {
            return new Change.ApplicationMissing();
          }
          Proxy changed = changed(known.get().proxy(), settings, modifiedBy);
          return store(
              new StoredProxy(changed, known.get().key(), configuration, transforms), entry);
        });
  }

  private Proxy changed(Proxy known, ProxySettings settings, UUID modifiedBy) {
    Provenance provenance =
        new Provenance(
            known.provenance().createdBy(),
            known.provenance().createdAt(),
            Optional.of(modifiedBy),
            Optional.of(database.now()));
    return new Proxy(known.id(), known.tenantId(), settings, provenance, known.version() + 1);
  }

  @Override
  public boolean replaceCompiled(
      TenantId tenantId,
      ProxyId id,
      long version,
      TransformKind kind,
      EncryptedTransform transform) {
    return database.change(
        () -> {
          Optional<StoredProxy> known =
              contents
                  .proxy(tenantId, id)
                  .filter(each -> each.proxy().version() == version)
                  .filter(each -> each.transforms().containsKey(kind));
          known.map(each -> with(each, kind, transform)).ifPresent(this::put);
          return known.isPresent();
        });
  }

  private static StoredProxy with(
      StoredProxy stored, TransformKind kind, EncryptedTransform transform) {
    Map<TransformKind, EncryptedTransform> transforms = new HashMap<>(stored.transforms());
    transforms.put(kind, transform);
    return new StoredProxy(stored.proxy(), stored.key(), stored.configuration(), transforms);
  }

  @Override
  public boolean delete(TenantId tenantId, ProxyId id, ExpectedVersion expected, AuditEntry entry) {
    return database.change(
        () -> {
          contents
              .proxy(tenantId, id)
              .ifPresent(known -> expected.require(known.proxy().version()));
          boolean deleted = contents.proxies.remove(tenantId, id.toString());
          if (deleted) {
            contents.credentials.remove(Credentials.PROXY, tenantId, id.toString());
            contents.entries.add(entry);
          }
          return deleted;
        });
  }
}
