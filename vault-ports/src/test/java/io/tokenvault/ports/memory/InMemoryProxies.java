package io.tokenvault.ports.memory;

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
import io.tokenvault.ports.memory.Memory.InTenant;
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
import java.util.regex.Pattern;
import java.util.stream.Collectors;

final class InMemoryProxies implements ProxyStore {

  private static final Comparator<StoredProxy> NEWEST_FIRST =
      Comparator.comparing((StoredProxy each) -> each.proxy().provenance().createdAt())
          .reversed()
          .thenComparing(each -> each.proxy().id().value(), Memory.byText());

  private final Memory memory;

  InMemoryProxies(Memory memory) {
    this.memory = memory;
  }

  @Override
  public Change create(NewProxy wanted, AuditEntry entry) {
    return memory.change(
        () -> {
          memory.requireTenant(wanted.tenantId());
          memory.requireKeys(wanted.tenantId());
          if (!exists(wanted.tenantId(), wanted.settings().applicationId())) {
            return new Change.ApplicationMissing();
          }
          memory.requireEntries();
          Provenance provenance =
              new Provenance(
                  Optional.of(wanted.createdBy()),
                  memory.now(),
                  Optional.empty(),
                  Optional.empty());
          Proxy proxy = new Proxy(wanted.id(), wanted.tenantId(), wanted.settings(), provenance, 1);
          memory.proxyKeys.put(wanted.keyHash(), key(proxy));
          return store(
              new StoredProxy(proxy, wanted.key(), wanted.configuration(), wanted.transforms()),
              entry);
        });
  }

  private boolean exists(TenantId tenantId, Optional<ApplicationId> application) {
    return application.map(id -> memory.application(tenantId, id).isPresent()).orElse(true);
  }

  private Change store(StoredProxy stored, AuditEntry entry) {
    memory.proxies.put(key(stored.proxy()), stored);
    memory.add(entry);
    return new Change.Stored(stored);
  }

  private static InTenant<ProxyId> key(Proxy proxy) {
    return new InTenant<>(proxy.tenantId(), proxy.id());
  }

  @Override
  public Optional<StoredProxy> find(TenantId tenantId, ProxyId id) {
    return memory.read(() -> Optional.ofNullable(memory.proxies.get(new InTenant<>(tenantId, id))));
  }

  @Override
  public Page<StoredProxy> list(
      TenantId tenantId, ProxyFilter filter, PageRequest request, MemoryReservation reservation) {
    Optional<Pattern> name = filter.name().map(InMemoryProxies::pattern);
    Page<StoredProxy> page =
        memory.read(
            () ->
                Memory.page(
                    memory.proxies.values().stream()
                        .filter(each -> each.proxy().tenantId().equals(tenantId))
                        .filter(
                            each ->
                                filter.ids().isEmpty() || filter.ids().contains(each.proxy().id()))
                        .filter(each -> name.map(pattern -> matches(pattern, each)).orElse(true))
                        .sorted(NEWEST_FIRST)
                        .toList(),
                    request));
    reservation.take(page.items().stream().mapToLong(StoredProxy::size).sum());
    return page;
  }

  private static boolean matches(Pattern pattern, StoredProxy stored) {
    return pattern.matcher(stored.proxy().settings().name().value()).matches();
  }

  private static Pattern pattern(String name) {
    String wanted = name.contains("*") ? name : "*" + name + "*";
    String regex =
        Arrays.stream(wanted.split("\\*", -1))
            .map(Pattern::quote)
            .collect(Collectors.joining(".*"));
    return Pattern.compile(regex, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE | Pattern.DOTALL);
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
    return memory.change(
        () -> {
          memory.requireKeys(tenantId);
          StoredProxy known = memory.proxies.get(new InTenant<>(tenantId, id));
          if (known == null) {
            return new Change.Absent();
          }
          expected.require(known.proxy().version());
          if (!exists(tenantId, settings.applicationId())) {
            return new Change.ApplicationMissing();
          }
          memory.requireEntries();
          Proxy proxy = known.proxy();
          Provenance provenance =
              new Provenance(
                  proxy.provenance().createdBy(),
                  proxy.provenance().createdAt(),
                  Optional.of(modifiedBy),
                  Optional.of(memory.now()));
          Proxy changed = new Proxy(id, tenantId, settings, provenance, proxy.version() + 1);
          return store(new StoredProxy(changed, known.key(), configuration, transforms), entry);
        });
  }

  @Override
  public boolean replaceCompiled(
      TenantId tenantId,
      ProxyId id,
      long version,
      TransformKind kind,
      EncryptedTransform transform) {
    return memory.change(
        () -> {
          InTenant<ProxyId> key = new InTenant<>(tenantId, id);
          StoredProxy known = memory.proxies.get(key);
          if (known == null
              || known.proxy().version() != version
              || !known.transforms().containsKey(kind)) {
            return false;
          }
          Map<TransformKind, EncryptedTransform> transforms = new HashMap<>(known.transforms());
          transforms.put(kind, transform);
          memory.proxies.put(
              key, new StoredProxy(known.proxy(), known.key(), known.configuration(), transforms));
          return true;
        });
  }

  @Override
  public boolean delete(TenantId tenantId, ProxyId id, ExpectedVersion expected, AuditEntry entry) {
    return memory.change(
        () -> {
          InTenant<ProxyId> key = new InTenant<>(tenantId, id);
          StoredProxy known = memory.proxies.get(key);
          if (known == null) {
            return false;
          }
          expected.require(known.proxy().version());
          memory.requireEntries();
          memory.proxies.remove(key);
          memory.proxyKeys.values().removeIf(key::equals);
          memory.add(entry);
          return true;
        });
  }
}
