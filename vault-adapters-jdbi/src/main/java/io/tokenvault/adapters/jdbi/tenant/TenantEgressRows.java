package io.tokenvault.adapters.jdbi.tenant;

import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.adapters.jdbi.sql.StoredColumns;
import io.tokenvault.adapters.jdbi.sql.StoredRow;
import io.tokenvault.domain.proxy.ContainerBinding;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.tenant.TenantId;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.argument.Argument;

/**
 * The egress policy of a tenant: columns of its row, and rows of container bindings.
 *
 * <p>A change locks the policy, reads it, and replaces it as a whole, in one transaction.
 */
final class TenantEgressRows {

  private TenantEgressRows() {}

  /** Returns the policy; empty if the tenant does not exist. */
  static Optional<TenantEgress> find(Handle handle, TenantId tenantId) {
    return handle
        .createQuery("SELECT " + StoredColumns.EGRESS + " FROM tenant WHERE tenant_id = :tenant")
        .bind("tenant", tenantId.value())
        .map(StoredRow::read)
        .findOne()
        .map(StoredRow::toEgress);
  }

  /**
   * Locks the policy, after waiting for transactions that change it or delete the tenant. Read it
   * by a later statement: PostgreSQL rereads the row that a waiting statement locks, but not the
   * bindings.
   */
  static void lock(Handle handle, TenantId tenantId) {
    handle
        .createQuery("SELECT 1 FROM tenant WHERE tenant_id = :tenant FOR NO KEY UPDATE")
        .bind("tenant", tenantId.value())
        .mapTo(Integer.class)
        .findOne();
  }

  /** Replaces the policy of a locked tenant. */
  static void replace(Handle handle, TenantId tenantId, TenantEgress egress) {
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
    handle
        .createUpdate("DELETE FROM container_binding WHERE tenant_id = :tenant")
        .bind("tenant", tenantId.value())
        .execute();
    insert(handle, tenantId, egress.bindings());
  }

  /** Inserts all bindings by one statement. */
  private static void insert(Handle handle, TenantId tenantId, List<ContainerBinding> bindings) {
    handle
        .createUpdate(
            """
            INSERT INTO container_binding (tenant_id, container, host)
            SELECT :tenant, container, host
            FROM unnest(:containers::text[], :hosts::text[]) AS binding (container, host)
            """)
        .bind("tenant", tenantId.value())
        .bind("containers", texts(bindings, each -> each.container().path()))
        .bind("hosts", texts(bindings, each -> each.host().text()))
        .execute();
  }

  /** Returns one part of each binding as an array. */
  private static Argument texts(
      List<ContainerBinding> bindings, Function<ContainerBinding, String> part) {
    return SqlValues.texts(bindings.stream().map(part).toList());
  }
}
