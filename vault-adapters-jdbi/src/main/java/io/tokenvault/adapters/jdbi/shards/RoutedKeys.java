package io.tokenvault.adapters.jdbi.shards;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.spi.KeyStore;
import io.tokenvault.ports.spi.TenantKeys;
import io.tokenvault.ports.spi.WrappedKey;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The wrapped keys of tenants, each in the database of its tenant. */
record RoutedKeys(Shards shards) implements KeyStore {

  // A UUID's text sorts as PostgreSQL sorts UUIDs.
  static final Comparator<TenantKeys> BY_TENANT =
      Comparator.comparing(keys -> keys.tenantId().toString());

  private <T> T ask(TenantId tenantId, Function<KeyStore, T> question) {
    return shards.of(tenantId).ask(ports -> question.apply(ports.stores().keys()));
  }

  @Override
  public Optional<TenantKeys> find(TenantId tenantId) {
    return ask(tenantId, store -> store.find(tenantId));
  }

  @Override
  public List<TenantKeys> list() {
    return shards.all().stream()
        .flatMap(each -> each.ask(ports -> ports.stores().keys().list()).stream())
        .sorted(BY_TENANT)
        .toList();
  }

  @Override
  public boolean add(TenantId tenantId, List<WrappedKey> keys, AuditEntry entry) {
    return ask(tenantId, store -> store.add(tenantId, keys, entry));
  }

  @Override
  public boolean replace(TenantId tenantId, WrappedKey from, WrappedKey to) {
    return ask(tenantId, store -> store.replace(tenantId, from, to));
  }

  @Override
  public boolean destroy(TenantId tenantId, AuditEntry entry) {
    return ask(tenantId, store -> store.destroy(tenantId, entry));
  }
}
