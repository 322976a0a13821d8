package io.tokenvault.adapters.jdbi.shards;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.proxy.ProxySettings;
import io.tokenvault.domain.proxy.TransformKind;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.spi.MemoryReservation;
import io.tokenvault.ports.spi.NewProxy;
import io.tokenvault.ports.spi.Page;
import io.tokenvault.ports.spi.PageRequest;
import io.tokenvault.ports.spi.ProxyFilter;
import io.tokenvault.ports.spi.ProxyStore;
import io.tokenvault.ports.spi.Sealed;
import io.tokenvault.ports.spi.SealedTransform;
import io.tokenvault.ports.spi.StoredProxy;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** Proxies, each in the database of its tenant. */
record RoutedProxies(Shards shards) implements ProxyStore {

  private <T> T ask(TenantId tenantId, Function<ProxyStore, T> question) {
    return shards.of(tenantId).ask(ports -> question.apply(ports.stores().proxies()));
  }

  @Override
  public Change create(NewProxy proxy, AuditEntry entry) {
    return ask(proxy.tenantId(), store -> store.create(proxy, entry));
  }

  @Override
  public Optional<StoredProxy> find(TenantId tenantId, ProxyId id) {
    return ask(tenantId, store -> store.find(tenantId, id));
  }

  @Override
  public Page<StoredProxy> list(
      TenantId tenantId, ProxyFilter filter, PageRequest request, MemoryReservation room) {
    return ask(tenantId, store -> store.list(tenantId, filter, request, room));
  }

  @Override
  public Change update(
      TenantId tenantId,
      ProxyId id,
      ExpectedVersion expected,
      ProxySettings settings,
      Sealed configuration,
      Map<TransformKind, SealedTransform> transforms,
      UUID modifiedBy,
      AuditEntry entry) {
    return ask(
        tenantId,
        store ->
            store.update(
                tenantId, id, expected, settings, configuration, transforms, modifiedBy, entry));
  }

  @Override
  public boolean replaceCompiled(
      TenantId tenantId, ProxyId id, long version, TransformKind kind, SealedTransform transform) {
    return ask(tenantId, store -> store.replaceCompiled(tenantId, id, version, kind, transform));
  }

  @Override
  public boolean delete(TenantId tenantId, ProxyId id, ExpectedVersion expected, AuditEntry entry) {
    return ask(tenantId, store -> store.delete(tenantId, id, expected, entry));
  }
}
