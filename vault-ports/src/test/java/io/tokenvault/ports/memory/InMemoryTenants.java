package io.tokenvault.ports.memory;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.tenant.Tenant;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.memory.Memory.InTenant;
import io.tokenvault.ports.store.TenantStore;
import io.tokenvault.ports.store.model.NewTenant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

final class InMemoryTenants implements TenantStore {

  private final Memory memory;

  InMemoryTenants(Memory memory) {
    this.memory = memory;
  }

  @Override
  public Tenant create(NewTenant wanted, List<AuditEntry> entries) {
    return memory.change(
        () -> {
          memory.requireEntries();
          Tenant tenant = new Tenant(wanted.id(), wanted.name(), memory.now());
          memory.tenants.put(wanted.id(), tenant);
          memory.keys.put(wanted.id(), wanted.keys());
          memory.egress.put(wanted.id(), TenantEgress.initial());
          InMemoryApplications.insert(memory, wanted.management());
          memory.add(entries);
          return tenant;
        });
  }

  @Override
  public boolean createFirst(NewTenant wanted, List<AuditEntry> entries) {
    return memory.change(
        () -> {
          if (!memory.tenants.isEmpty()) {
            return false;
          }
          create(wanted, entries);
          return true;
        });
  }

  @Override
  public List<Tenant> list() {
    return memory.read(() -> List.copyOf(memory.tenants.values()));
  }

  @Override
  public Optional<TenantEgress> egress(TenantId tenantId) {
    return memory.read(() -> Optional.ofNullable(memory.egress.get(tenantId)));
  }

  @Override
  public Optional<TenantEgress> changeEgress(
      TenantId tenantId, UnaryOperator<TenantEgress> change, AuditEntry entry) {
    return memory.change(
        () -> {
          Optional<TenantEgress> known = egress(tenantId);
          Optional<TenantEgress> changed = known.map(change);
          if (changed.equals(known)) {
            return known;
          }
          memory.requireEntries();
          TenantEgress next = changed.orElseThrow().after(known.orElseThrow());
          memory.egress.put(tenantId, next);
          memory.add(entry);
          return Optional.of(next);
        });
  }

  @Override
  public boolean delete(TenantId tenantId, AuditEntry entry) {
    return memory.change(
        () -> {
          if (!memory.tenants.containsKey(tenantId)) {
            return false;
          }
          memory.requireEntries();
          memory.tenants.remove(tenantId);
          memory.keys.remove(tenantId);
          memory.egress.remove(tenantId);
          forget(memory.applications, tenantId);
          forget(memory.proxies, tenantId);
          forget(memory.tokens, tenantId);
          forget(memory.requests, tenantId);
          memory.apiKeys.values().removeIf(key -> key.tenantId().equals(tenantId));
          memory.proxyKeys.values().removeIf(key -> key.tenantId().equals(tenantId));
          memory.add(entry);
          return true;
        });
  }

  private static <K> void forget(Map<InTenant<K>, ?> things, TenantId tenantId) {
    things.keySet().removeIf(key -> key.tenantId().equals(tenantId));
  }
}
