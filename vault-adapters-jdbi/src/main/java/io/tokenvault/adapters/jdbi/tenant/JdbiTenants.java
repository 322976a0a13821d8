package io.tokenvault.adapters.jdbi.tenant;

import io.tokenvault.adapters.jdbi.application.JdbiApplications;
import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.EntryRows;
import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.adapters.jdbi.sql.StoredColumns;
import io.tokenvault.adapters.jdbi.sql.StoredRows;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.domain.tenant.Tenant;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.store.TenantStore;
import io.tokenvault.ports.store.TenantStore.NewTenant;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * Tenants in PostgreSQL.
 *
 * <p>A tenant is created together with its data keys, its management application and their audit
 * entries, and deleted together with all that it owns. Its audit entries stay. An instance is safe
 * for use by many threads.
 *
 * <p>A change of the egress policy locks it, reads it, and replaces it as a whole.
 */
public final class JdbiTenants implements TenantStore {

  // Creating the first tenant excludes all other creations of tenants; these do not exclude each
  // other.
  private static final String EXCLUSIVE_LOCK =
      "SELECT pg_advisory_xact_lock(hashtext('token-vault tenants'))";
  // Shared by all creations of tenants that need not be the first one.
  private static final String SHARED_LOCK =
      "SELECT pg_advisory_xact_lock_shared(hashtext('token-vault tenants'))";

  // Tables with a tenant's records, in the order of deletion: rows that refer to others come before
  // those.
  private static final List<String> OWNED =
      List.of(
          "credential",
          "keyed_request",
          "proxy",
          "application",
          "token",
          "tenant_key",
          "container_binding",
          "tenant");

  private final Database database;

  /** Creates the store. */
  public JdbiTenants(Database database) {
    this.database = database;
  }

  @Override
  public Tenant create(NewTenant tenant, List<AuditEntry> entries) {
    return database.change(
        handle -> {
          // Waits for a transaction that is creating the first tenant, and then proceeds.
          handle.execute(SHARED_LOCK);
          return insert(handle, tenant, entries);
        });
  }

  @Override
  public boolean createFirst(NewTenant tenant, List<AuditEntry> entries) {
    return database.change(
        handle -> {
          handle.execute(EXCLUSIVE_LOCK);
          // Under the exclusive lock, no other transaction can create a tenant after this check.
          if (handle
              .createQuery("SELECT EXISTS (SELECT 1 FROM tenant)")
              .mapTo(Boolean.class)
              .one()) {
            return false;
          }
          insert(handle, tenant, entries);
          return true;
        });
  }

  /** Inserts a tenant with its keys, its management application and the audit entries. */
  private static Tenant insert(Handle handle, NewTenant tenant, List<AuditEntry> entries) {
    Tenant created = insert(handle, tenant);
    JdbiKeys.insert(handle, tenant.id(), tenant.keys().keys());
    JdbiApplications.insert(handle, tenant.management());
    EntryRows.add(handle, entries);
    return created;
  }

  /** Inserts the tenant's own row and returns it with its time of creation. */
  private static Tenant insert(Handle handle, NewTenant tenant) {
    return handle
        .select(
            """
            INSERT INTO tenant (tenant_id, name) VALUES (?, ?)
            RETURNING tenant_id, name, created_at
            """,
            tenant.id().value(),
            tenant.name().value())
        .map(JdbiTenants::read)
        .one();
  }

  @Override
  public Optional<Tenant> find(TenantId tenantId) {
    return database.run(
        handle ->
            handle
                .select(
                    "SELECT tenant_id, name, created_at FROM tenant WHERE tenant_id = ?",
                    tenantId.value())
                .map(JdbiTenants::read)
                .findOne());
  }

  @Override
  public List<Tenant> list() {
    return database.run(
        handle ->
            handle
                .createQuery(
                    "SELECT tenant_id, name, created_at FROM tenant ORDER BY created_at, tenant_id")
                .map(JdbiTenants::read)
                .list());
  }

  private static Tenant read(ResultSet row, StatementContext context) throws SQLException {
    return new Tenant(
        StoredRows.tenantId(row),
        new ResourceName(row.getString("name")),
        StoredRows.time(row, "created_at"));
  }

  @Override
  public Optional<TenantEgress> egress(TenantId tenantId) {
    return database.run(handle -> findEgress(handle, tenantId));
  }

  @Override
  public Optional<TenantEgress> changeEgress(
      TenantId tenantId, UnaryOperator<TenantEgress> change, AuditEntry entry) {
    return database.change(
        handle -> {
          // Waits for transactions that change the policy or delete the tenant. It is read by a
          // later statement: PostgreSQL rereads the row that a waiting statement locks, but not
          // the bindings.
          lock(handle, tenantId, "FOR NO KEY UPDATE");
          Optional<TenantEgress> known = findEgress(handle, tenantId);
          Optional<TenantEgress> changed = known.map(change);
          // Neither a tenant that does not exist nor an unchanged policy needs a version and an
          // entry.
          if (changed.equals(known)) {
            return known;
          }
          TenantEgress next = changed.orElseThrow().after(known.orElseThrow());
          replaceEgress(handle, tenantId, next);
          EntryRows.add(handle, entry);
          return Optional.of(next);
        });
  }

  @Override
  public boolean delete(TenantId tenantId, AuditEntry entry) {
    return database.longChange(
        handle -> {
          if (!lock(handle, tenantId)) {
            return false;
          }
          // The lock makes transactions fail that would add records after their table was cleared.
          for (String table : OWNED) {
            handle.execute("DELETE FROM " + table + " WHERE tenant_id = ?", tenantId.value());
          }
          EntryRows.add(handle, entry);
          return true;
        });
  }

  /**
   * Locks a tenant for deletion or destruction of its keys, after waiting for transactions that add
   * records to it; later ones fail. Returns false if it does not exist.
   */
  static boolean lock(Handle handle, TenantId tenantId) {
    return lock(handle, tenantId, "FOR UPDATE");
  }

  /**
   * Locks a tenant until the transaction ends. Returns false if it does not exist.
   *
   * @param conditionAndLock the end of the statement: a further condition, if any, and the strength
   *     of the lock
   */
  static boolean lock(Handle handle, TenantId tenantId, String conditionAndLock) {
    return handle
        .select("SELECT 1 FROM tenant WHERE tenant_id = ? " + conditionAndLock, tenantId.value())
        .mapTo(Integer.class)
        .findOne()
        .isPresent();
  }

  /** Returns the policy; empty if the tenant does not exist. */
  private static Optional<TenantEgress> findEgress(Handle handle, TenantId tenantId) {
    return handle
        .select(
            "SELECT " + StoredColumns.EGRESS + " FROM tenant WHERE tenant_id = ?", tenantId.value())
        .map(StoredRows::toEgress)
        .findOne();
  }

  /** Replaces the policy of a locked tenant. */
  private static void replaceEgress(Handle handle, TenantId tenantId, TenantEgress egress) {
    handle
        .createUpdate(
            """
            UPDATE tenant
            SET egress_version = :version, url_header = :urlHeader, unbound_by_url = :unboundByUrl
            WHERE tenant_id = :tenant
            """)
        .bind("tenant", tenantId.value())
        .bind("version", egress.version())
        .bind("urlHeader", egress.urlHeader())
        .bind("unboundByUrl", egress.unboundByUrl())
        .execute();
    handle.execute("DELETE FROM container_binding WHERE tenant_id = ?", tenantId.value());
    handle
        .createUpdate(
            """
            INSERT INTO container_binding (tenant_id, container, host)
            SELECT :tenant, container, host
            FROM unnest(:containers::text[], :hosts::text[]) AS binding (container, host)
            """)
        .bind("tenant", tenantId.value())
        .bind("containers", SqlValues.texts(egress.bindings(), each -> each.container().path()))
        .bind("hosts", SqlValues.texts(egress.bindings(), each -> each.host().text()))
        .execute();
  }
}
