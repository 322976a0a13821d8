package example.vault;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.tenant.Tenant;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.store.TenantStore;
import io.tokenvault.ports.store.model.NewTenant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

final class Tenants implements TenantStore {

  private final Contents contents;
  private final Database database;
  private final Applications applications;

  Tenants(Contents contents) {
    this.contents = contents;
    this.database = contents.database;
    this.applications = new Applications(contents);
  }

  @Override
  public Tenant create(NewTenant wanted, List<AuditEntry> entries) {
    return database.change(
        () -> {
          Tenant tenant = new Tenant(wanted.id(), wanted.name(), database.now());
          contents.tenants.put(wanted.id(), Contents.ONLY, tenant);
          contents.keys.put(wanted.id(), Contents.ONLY, wanted.keys());
          contents.egress.put(wanted.id(), Contents.ONLY, TenantEgress.initial());
          applications.insert(wanted.management());
          contents.entries.add(entries);
          return tenant;
        });
  }

  @Override
  public boolean createFirst(NewTenant wanted, List<AuditEntry> entries) {
    return database.change(
        () -> {
          boolean first = contents.tenants.all().isEmpty();
          if (first) {
            create(wanted, entries);
          }
          return first;
        });
  }

  @Override
  public List<Tenant> list() {
    return database.read(contents.tenants::all);
  }

  @Override
  public Optional<TenantEgress> egress(TenantId tenantId) {
    return database.read(() -> contents.egress.find(tenantId, Contents.ONLY));
  }

  @Override
  public Optional<TenantEgress> changeEgress(
      TenantId tenantId, UnaryOperator<TenantEgress> change, AuditEntry entry) {
    return database.change(
        () -> {
          Optional<TenantEgress> known = egress(tenantId);
          Optional<TenantEgress> changed = known.map(change);
          if (changed.equals(known)) {
            return known;
          }
          TenantEgress next = changed.orElseThrow().after(known.orElseThrow());
          contents.egress.put(tenantId, Contents.ONLY, next);
          contents.entries.add(entry);
          return Optional.of(next);
        });
  }

  @Override
  public boolean delete(TenantId tenantId, AuditEntry entry) {
    return database.change(
        () -> {
          if (contents.tenants.find(tenantId, Contents.ONLY).isEmpty()) {
            return false;
          }
          database.update("DELETE FROM document WHERE tenant = ?", tenantId.toString());
          database.update("DELETE FROM credential WHERE tenant = ?", tenantId.toString());
          contents.entries.add(entry);
          return true;
        });
  }
}
