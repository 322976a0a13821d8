package io.tokenvault.adapters.jdbi.application;

import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.adapters.jdbi.sql.StoredRow;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.store.model.ApplicationUse;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** The times at which applications were last used, stored with their current API keys. */
final class ApplicationUseRows {

  private ApplicationUseRows() {}

  /**
   * Records uses that are later than the stored ones, and returns how many there were. Skips keys
   * that a transaction is changing, since recording a use is not worth waiting.
   */
  static int note(Handle handle, Collection<ApplicationUse> uses) {
    return handle
        .createUpdate(
            """
            WITH news AS MATERIALIZED (
              SELECT key_hash AS hash, tenant, at
              FROM credential
              JOIN unnest(:tenants::uuid[], :ids::uuid[], :times::timestamptz[])
                AS used (tenant, id, at) ON tenant_id = tenant AND owner_id = id
              WHERE kind = 'api' AND (last_used_at IS NULL OR last_used_at < at)
              FOR NO KEY UPDATE OF credential SKIP LOCKED)
            UPDATE credential SET last_used_at = at FROM news
            WHERE key_hash = hash AND tenant_id = tenant
            """)
        .bind("tenants", SqlValues.uuids(uses.stream().map(use -> use.tenantId().value()).toList()))
        .bind("ids", SqlValues.uuids(uses.stream().map(use -> use.id().value()).toList()))
        .bind("times", SqlValues.times(uses.stream().map(ApplicationUse::at).toList()))
        .execute();
  }

  /** Returns the last uses of some applications; those never used are absent. */
  static Map<ApplicationId, Instant> find(
      Handle handle, TenantId tenantId, Collection<ApplicationId> ids) {
    return handle
        .createQuery(
            """
            SELECT owner_id, last_used_at FROM credential
            WHERE tenant_id = :tenant AND owner_id = ANY (:ids) AND kind = 'api'
              AND last_used_at IS NOT NULL
            """)
        .bind("tenant", tenantId.value())
        .bind("ids", SqlValues.uuids(ids.stream().map(ApplicationId::value).toList()))
        .map(
            (row, context) ->
                Map.entry(
                    new ApplicationId(row.getObject("owner_id", UUID.class)),
                    StoredRow.time(row, "last_used_at")))
        .list()
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }
}
