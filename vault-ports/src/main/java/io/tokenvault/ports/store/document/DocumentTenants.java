package io.tokenvault.ports.store.document;

import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.tenant.Tenant;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.store.TenantStore;
import io.tokenvault.ports.store.TenantStore.NewTenant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

record DocumentTenants(Transactions transactions) implements TenantStore {

  private static final Comparator<Tenant> OLDEST_FIRST =
      Comparator.comparing(Tenant::createdAt).thenComparing(each -> each.id().toString());

  @Override
  public Tenant create(NewTenant wanted, List<AuditEntry> entries) {
    return transactions.write(records -> insert(records, wanted, entries));
  }

  private static Tenant insert(RecordChanges records, NewTenant wanted, List<AuditEntry> entries) {
    Tenant tenant = new Tenant(wanted.id(), wanted.name(), records.now());
    records.append(entries);
    records.put(Kind.TENANT, wanted.id(), tenant);
    records.put(Kind.KEYS, wanted.id(), wanted.keys());
    records.put(Kind.EGRESS, wanted.id(), TenantEgress.initial());
    DocumentApplications.insert(records, wanted.management());
    return tenant;
  }

  @Override
  public boolean createFirst(NewTenant wanted, List<AuditEntry> entries) {
    return transactions.write(
        records -> {
          boolean isFirst = records.all(Kind.TENANT).isEmpty();
          if (isFirst) {
            insert(records, wanted, entries);
          }
          return isFirst;
        });
  }

  @Override
  public Optional<Tenant> find(TenantId tenantId) {
    return transactions.read(records -> records.find(Kind.TENANT, tenantId));
  }

  @Override
  public List<Tenant> list() {
    return transactions.read(
        records -> records.all(Kind.TENANT).stream().sorted(OLDEST_FIRST).toList());
  }

  @Override
  public Optional<TenantEgress> egress(TenantId tenantId) {
    return transactions.read(records -> records.find(Kind.EGRESS, tenantId));
  }

  @Override
  public Optional<TenantEgress> changeEgress(
      TenantId tenantId, UnaryOperator<TenantEgress> change, AuditEntry entry) {
    return transactions.write(
        records -> {
          Optional<TenantEgress> known = records.find(Kind.EGRESS, tenantId);
          Optional<TenantEgress> changed = known.map(change);
          if (changed.equals(known)) {
            return known;
          }
          TenantEgress next = changed.orElseThrow().after(known.orElseThrow());
          records.append(entry);
          records.put(Kind.EGRESS, tenantId, next);
          return Optional.of(next);
        });
  }

  @Override
  public boolean delete(TenantId tenantId, AuditEntry entry) {
    return transactions.write(
        records -> {
          if (records.find(Kind.TENANT, tenantId).isEmpty()) {
            return false;
          }
          records.append(entry);
          records.deleteAll(tenantId);
          return true;
        });
  }
}
