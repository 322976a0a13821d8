package io.tokenvault.ports.memory;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.WrappedKey;
import io.tokenvault.ports.store.KeyStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

final class InMemoryKeys implements KeyStore {

  private final Memory memory;

  InMemoryKeys(Memory memory) {
    this.memory = memory;
  }

  @Override
  public Optional<TenantKeys> find(TenantId tenantId) {
    return memory.read(() -> Optional.ofNullable(memory.keys.get(tenantId)));
  }

  @Override
  public List<TenantKeys> list() {
    return memory.read(
        () ->
            memory.keys.values().stream()
                .sorted(Comparator.comparing(each -> each.tenantId().value(), Memory.byText()))
                .toList());
  }

  @Override
  public boolean add(TenantId tenantId, List<WrappedKey> keys, AuditEntry entry) {
    return memory.change(
        () -> {
          Optional<TenantKeys> known = living(tenantId);
          if (known.isEmpty() || keys.stream().anyMatch(key -> isThere(known.get(), key))) {
            return false;
          }
          memory.requireEntries();
          List<WrappedKey> all = new ArrayList<>(known.get().keys());
          all.addAll(keys);
          memory.keys.put(tenantId, new TenantKeys(tenantId, all));
          memory.add(entry);
          return true;
        });
  }

  private Optional<TenantKeys> living(TenantId tenantId) {
    return Optional.ofNullable(memory.keys.get(tenantId)).filter(keys -> !keys.areDestroyed());
  }

  private static boolean isThere(TenantKeys known, WrappedKey key) {
    return known.version(key.purpose(), key.version()).isPresent();
  }

  @Override
  public boolean replace(TenantId tenantId, WrappedKey from, WrappedKey to) {
    return memory.change(
        () -> {
          Optional<TenantKeys> known = living(tenantId);
          if (known.isEmpty() || !known.get().keys().contains(from)) {
            return false;
          }
          List<WrappedKey> all = new ArrayList<>(known.get().keys());
          all.replaceAll(key -> key.equals(from) ? to : key);
          memory.keys.put(tenantId, new TenantKeys(tenantId, all));
          return true;
        });
  }

  @Override
  public boolean destroy(TenantId tenantId, AuditEntry entry) {
    return memory.change(
        () -> {
          if (living(tenantId).isEmpty()) {
            return false;
          }
          memory.requireEntries();
          memory.keys.put(tenantId, new TenantKeys(tenantId, List.of()));
          memory.add(entry);
          return true;
        });
  }
}
