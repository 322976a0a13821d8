package io.tokenvault.adapters.jdbi.application;

import io.tokenvault.adapters.jdbi.sql.EntryRows;
import io.tokenvault.adapters.jdbi.sql.StoredColumns;
import io.tokenvault.adapters.jdbi.sql.StoredRow;
import io.tokenvault.domain.application.Application;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.proxy.ProxyId;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.store.ApplicationStore.Deletion;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/**
 * Deletes applications that no proxy uses, with their API keys, within a transaction.
 *
 * <p>A proxy that uses an application must be deleted or changed before the application can be
 * deleted.
 */
final class ApplicationRemoval {

  private ApplicationRemoval() {}

  /**
   * Deletes one application. The caller holds its lock, so that no proxy that uses it can be
   * created meanwhile.
   *
   * @return {@link Deletion.NamedByProxies} if proxies use it
   */
  static Deletion one(Handle handle, TenantId tenantId, ApplicationId id, AuditEntry entry) {
    List<ProxyId> proxies = proxiesThatName(handle, tenantId, id);
    if (!proxies.isEmpty()) {
      return new Deletion.NamedByProxies(proxies);
    }
    remove(handle, tenantId, id);
    EntryRows.add(handle, entry);
    return new Deletion.Deleted();
  }

  /** Returns the proxies that use an application. */
  private static List<ProxyId> proxiesThatName(Handle handle, TenantId tenantId, ApplicationId id) {
    return handle
        .createQuery(
            """
            SELECT proxy_id FROM proxy
            WHERE tenant_id = :tenant AND application_id = :id
            ORDER BY proxy_id
            """)
        .bind("tenant", tenantId.value())
        .bind("id", id.value())
        .mapTo(UUID.class)
        .map(ProxyId::new)
        .list();
  }

  /** Deletes the application's keys and then the application. */
  private static void remove(Handle handle, TenantId tenantId, ApplicationId id) {
    CredentialSql.remove(handle, tenantId, List.of(id.value()));
    handle.execute(
        "DELETE FROM application WHERE tenant_id = ? AND application_id = ?",
        tenantId.value(),
        id.value());
  }

  /**
   * Deletes expired applications with their keys and writes their audit entries.
   *
   * @param limit the maximum number of applications, which bounds the transaction
   * @param entry returns the audit entry of a deleted application
   * @return how many were deleted
   */
  static int expired(Handle handle, int limit, Function<Application, AuditEntry> entry) {
    List<Application> removed = removeExpired(handle, limit);
    owners(removed).forEach((tenantId, owners) -> CredentialSql.remove(handle, tenantId, owners));
    EntryRows.add(handle, removed.stream().map(entry).toList());
    return removed.size();
  }

  /**
   * Deletes expired applications of any tenant, except those that another node is deleting or that
   * a proxy uses.
   */
  private static List<Application> removeExpired(Handle handle, int limit) {
    return handle
        .createQuery(
            """
            WITH due AS MATERIALIZED (
              SELECT tenant_id AS due_tenant, application_id AS due_application
              FROM application AS each
              WHERE expires_at <= now() AND NOT EXISTS (
                SELECT 1 FROM proxy
                WHERE proxy.tenant_id = each.tenant_id
                  AND proxy.application_id = each.application_id)
              ORDER BY expires_at
              LIMIT :limit
              FOR UPDATE SKIP LOCKED)
            DELETE FROM application USING due
            WHERE tenant_id = due_tenant AND application_id = due_application
            RETURNING
            """
                + StoredColumns.APPLICATION)
        .bind("limit", limit)
        .map(StoredRow::read)
        .map(StoredRow::toApplication)
        .list();
  }

  /** Groups the ids of applications by tenant. */
  private static Map<TenantId, List<UUID>> owners(List<Application> applications) {
    return applications.stream()
        .collect(
            Collectors.groupingBy(
                Application::tenantId,
                Collectors.mapping(each -> each.id().value(), Collectors.toList())));
  }
}
