package io.tokenvault.ports.store.document;

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
import io.tokenvault.ports.store.ProxyStore;
import io.tokenvault.ports.store.ProxyStore.NewProxy;
import io.tokenvault.ports.store.ProxyStore.ProxyFilter;
import io.tokenvault.ports.store.document.Credential.Owner;
import io.tokenvault.ports.store.document.Records.Match;
import io.tokenvault.ports.store.model.EncryptedTransform;
import io.tokenvault.ports.store.model.StoredProxy;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

record DocumentProxies(Transactions transactions) implements ProxyStore {

  @Override
  public Change create(NewProxy wanted, AuditEntry entry) {
    TenantId tenantId = wanted.tenantId();
    return transactions.write(
        records -> {
          records.requireTenant(tenantId);
          records.requireKeys(tenantId);
          if (!exists(records, tenantId, wanted.settings().applicationId())) {
            return new Change.ApplicationMissing();
          }
          Provenance provenance =
              Provenance.created(Optional.of(wanted.createdBy()), records.now());
          Proxy proxy = new Proxy(wanted.id(), tenantId, wanted.settings(), provenance, 1);
          records.add(
              new Credential(
                  Owner.PROXY,
                  wanted.keyHash(),
                  tenantId,
                  wanted.id().toString(),
                  Optional.empty()));
          return store(
              records,
              new StoredProxy(proxy, wanted.key(), wanted.configuration(), wanted.transforms()),
              entry);
        });
  }

  private static boolean exists(
      Records records, TenantId tenantId, Optional<ApplicationId> application) {
    return application.map(id -> records.application(tenantId, id).isPresent()).orElse(true);
  }

  private static Change store(RecordChanges records, StoredProxy stored, AuditEntry entry) {
    records.append(entry);
    put(records, stored);
    return new Change.Stored(stored);
  }

  private static void put(RecordChanges records, StoredProxy stored) {
    Proxy proxy = stored.proxy();
    records.put(Kind.PROXY, proxy.tenantId(), proxy.id().toString(), stored);
  }

  @Override
  public Optional<StoredProxy> find(TenantId tenantId, ProxyId id) {
    return transactions.read(records -> records.proxy(tenantId, id));
  }

  @Override
  public Page<StoredProxy> list(
      TenantId tenantId, ProxyFilter filter, PageRequest request, MemoryReservation reservation) {
    Predicate<String> name = filter.name().map(DocumentProxies::pattern).orElse(any -> true);
    return transactions.read(
        records ->
            records.page(
                Kind.PROXY,
                tenantId,
                Optional.empty(),
                each ->
                    (filter.ids().isEmpty() || filter.ids().contains(each.proxy().id()))
                        && name.test(each.proxy().settings().name().value()),
                each ->
                    new Match(
                        each.proxy().provenance().createdAt(),
                        each.proxy().id().toString(),
                        each.size()),
                request,
                reservation));
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
    return transactions.write(
        records -> {
          records.requireKeys(tenantId);
          Optional<StoredProxy> known = at(records, tenantId, id, expected);
          if (known.isEmpty()) {
            return new Change.Absent();
          }
          if (!exists(records, tenantId, settings.applicationId())) {
            return new Change.ApplicationMissing();
          }
          Proxy old = known.get().proxy();
          Provenance provenance = old.provenance().modified(Optional.of(modifiedBy), records.now());
          Proxy changed = new Proxy(id, tenantId, settings, provenance, old.version() + 1);
          return store(
              records,
              new StoredProxy(changed, known.get().key(), configuration, transforms),
              entry);
        });
  }

  private static Optional<StoredProxy> at(
      Records records, TenantId tenantId, ProxyId id, ExpectedVersion expected) {
    Optional<StoredProxy> known = records.proxy(tenantId, id);
    known.ifPresent(each -> expected.require(each.proxy().version()));
    return known;
  }

  @Override
  public boolean replaceCompiled(
      TenantId tenantId,
      ProxyId id,
      long version,
      TransformKind kind,
      EncryptedTransform transform) {
    return transactions.write(
        records -> {
          Optional<StoredProxy> known =
              records
                  .proxy(tenantId, id)
                  .filter(each -> each.proxy().version() == version)
                  .filter(each -> each.transforms().containsKey(kind));
          known.ifPresent(each -> put(records, with(each, kind, transform)));
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
    return transactions.write(
        records -> {
          if (at(records, tenantId, id, expected).isEmpty()) {
            return false;
          }
          records.append(entry);
          records.delete(Kind.PROXY, tenantId, id.toString());
          records.deleteKeys(Owner.PROXY, tenantId, id.toString());
          return true;
        });
  }
}
