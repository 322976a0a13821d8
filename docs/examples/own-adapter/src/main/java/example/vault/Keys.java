package example.vault;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.WrappedKey;
import io.tokenvault.ports.store.KeyStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

final class Keys implements KeyStore {

  private final Contents contents;
  private final Database database;

  Keys(Contents contents) {
    this.contents = contents;
    this.database = contents.database;
  }

  @Override
  public Optional<TenantKeys> find(TenantId tenantId) {
    return database.read(() -> contents.keys.find(tenantId, Contents.ONLY));
  }

  @Override
  public List<TenantKeys> list() {
    return database.read(
        () ->
            contents.keys.all().stream()
                .sorted(Comparator.comparing(each -> each.tenantId().toString()))
                .toList());
  }

  @Override
  public boolean add(TenantId tenantId, List<WrappedKey> keys, AuditEntry entry) {
    return database.change(
        () -> {
          Optional<TenantKeys> known = living(tenantId);
          if (known.isEmpty() || keys.stream().anyMatch(key -> isThere(known.get(), key))) {
            return false;
          }
          List<WrappedKey> all = new ArrayList<>(known.get().keys());
          all.addAll(keys);
          put(tenantId, all);
          contents.entries.add(entry);
          return true;
        });
  }

  private Optional<TenantKeys> living(TenantId tenantId) {
    return find(tenantId).filter(keys -> !keys.areDestroyed());
  }

  private static boolean isThere(TenantKeys known, WrappedKey key) {
    return known.version(key.purpose(), key.version()).isPresent();
  }

  private void put(TenantId tenantId, List<WrappedKey> keys) {
    contents.keys.put(tenantId, Contents.ONLY, new TenantKeys(tenantId, keys));
  }

  @Override
  public boolean replace(TenantId tenantId, WrappedKey from, WrappedKey to) {
    return database.change(
        () -> {
          Optional<TenantKeys> known = living(tenantId).filter(all -> all.keys().contains(from));
          known.ifPresent(
              all ->
                  put(
                      tenantId,
                      all.keys().stream().map(key -> key.equals(from) ? to : key).toList()));
          return known.isPresent();
        });
  }

  @Override
  public boolean destroy(TenantId tenantId, AuditEntry entry) {
    return database.change(
        () -> {
          boolean destroyed = living(tenantId).isPresent();
          if (destroyed) {
            put(tenantId, List.of());
            contents.entries.add(entry);
          }
          return destroyed;
        });
  }
}
