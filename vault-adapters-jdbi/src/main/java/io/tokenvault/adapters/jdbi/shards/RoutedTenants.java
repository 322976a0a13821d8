package io.tokenvault.adapters.jdbi.shards;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.tenant.Tenant;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.spi.NewTenant;
import io.tokenvault.ports.spi.TenantStore;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Tenants over several databases.
 *
 * @param forNew which database a new tenant goes to
 */
record RoutedTenants(Shards shards, Supplier<Shard> forNew) implements TenantStore {

  private static final Comparator<Tenant> OLDEST_FIRST =
      Comparator.comparing(Tenant::createdAt).thenComparing(tenant -> tenant.id().toString());

  private <T> T ask(TenantId tenantId, Function<TenantStore, T> question) {
    return ask(shards.of(tenantId), question);
  }

  private static <T> T ask(Shard shard, Function<TenantStore, T> question) {
    return shard.ask(ports -> question.apply(ports.stores().tenants()));
  }

  @Override
  public Tenant create(NewTenant tenant, List<AuditEntry> entries) {
    Shard shard = forNew.get();
    Tenant created = ask(shard, store -> store.create(tenant, entries));
    shards.remember(tenant.id(), shard);
    return created;
  }

  /**
   * All first tenants go to the first database, so that one of several is made. A tenant that is
   * made at the same moment by {@link #create} in another database is not seen.
   */
  @Override
  public boolean createFirst(NewTenant tenant, List<AuditEntry> entries) {
    if (shards.others().stream().anyMatch(each -> !ask(each, TenantStore::list).isEmpty())) {
      return false;
    }
    boolean made = ask(shards.home(), store -> store.createFirst(tenant, entries));
    if (made) {
      shards.remember(tenant.id(), shards.home());
    }
    return made;
  }

  /** By the clocks of their databases. */
  @Override
  public List<Tenant> list() {
    return shards.all().stream()
        .flatMap(each -> ask(each, TenantStore::list).stream())
        .sorted(OLDEST_FIRST)
        .toList();
  }

  @Override
  public Optional<TenantEgress> egress(TenantId tenantId) {
    return ask(tenantId, store -> store.egress(tenantId));
  }

  @Override
  public Optional<TenantEgress> changeEgress(
      TenantId tenantId, UnaryOperator<TenantEgress> change, AuditEntry entry) {
    return ask(tenantId, store -> store.changeEgress(tenantId, change, entry));
  }

  @Override
  public boolean delete(TenantId tenantId, AuditEntry entry) {
    return ask(tenantId, store -> store.delete(tenantId, entry));
  }
}
