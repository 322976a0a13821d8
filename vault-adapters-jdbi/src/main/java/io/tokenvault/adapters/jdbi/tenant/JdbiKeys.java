package io.tokenvault.adapters.jdbi.tenant;

import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.EntryRows;
import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.adapters.jdbi.sql.StoredRows;
import io.tokenvault.domain.audit.AuditEntry;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.TenantKeys;
import io.tokenvault.ports.crypto.WrappedKey;
import io.tokenvault.ports.store.KeyStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * Data keys of tenants in PostgreSQL, wrapped by a master key.
 *
 * <p>The tenant's row serializes changes: adding a key excludes other additions and destruction,
 * and destruction waits for every transaction that stores data encrypted with the keys. An instance
 * is safe for use by many threads.
 */
public final class JdbiKeys implements KeyStore {

  // A tenant without keys yields one row whose columns of the key are NULL.
  private static final String SELECT =
      """
      SELECT tenant.tenant_id, purpose AS type, version AS encrypted_version, wrapped AS encrypted
      FROM tenant LEFT JOIN tenant_key ON tenant_key.tenant_id = tenant.tenant_id
      """;

  private final Database database;

  public JdbiKeys(Database database) {
    this.database = database;
  }

  @Override
  public Optional<TenantKeys> find(TenantId tenantId) {
    return database.run(
        handle ->
            read(handle.select(SELECT + "WHERE tenant.tenant_id = ?", tenantId.value())).stream()
                .findFirst());
  }

  @Override
  public List<TenantKeys> list() {
    return database.run(JdbiKeys::list);
  }

  /**
   * Locks the tenant until the transaction ends, so that its keys cannot be destroyed before data
   * that is encrypted with them is stored. A tenant that does not exist passes; the foreign key
   * rejects its data.
   *
   * @throws RefusedException if the keys were destroyed
   */
  public static void requireKeys(Handle handle, TenantId tenantId) {
    handle
        .select(
            "SELECT shredded_at IS NOT NULL FROM tenant WHERE tenant_id = ? FOR KEY SHARE",
            tenantId.value())
        .mapTo(Boolean.class)
        .findOne()
        .filter(shredded -> shredded)
        .ifPresent(
            unused -> {
              throw RefusedException.tenantShredded();
            });
  }

  /**
   * Returns the keys of all tenants in the transaction of the handle; tenants without keys are
   * included.
   */
  public static List<TenantKeys> list(Handle handle) {
    return read(handle.createQuery(SELECT + "ORDER BY tenant.tenant_id"));
  }

  /** Groups the keys of a query by tenant, in the order of the query. */
  private static List<TenantKeys> read(Query query) {
    Map<TenantId, List<WrappedKey>> byTenant = new LinkedHashMap<>();
    query.reduceResultSet(byTenant, JdbiKeys::addKey);
    return byTenant.entrySet().stream()
        .map(each -> new TenantKeys(each.getKey(), each.getValue()))
        .toList();
  }

  private static Map<TenantId, List<WrappedKey>> addKey(
      Map<TenantId, List<WrappedKey>> byTenant, ResultSet row, StatementContext context)
      throws SQLException {
    List<WrappedKey> keys =
        byTenant.computeIfAbsent(StoredRows.tenantId(row), unused -> new ArrayList<>());
    if (row.getString("type") != null) {
      keys.add(StoredRows.toKey(row, context));
    }
    return byTenant;
  }

  @Override
  public boolean add(TenantId tenantId, List<WrappedKey> keys, AuditEntry entry) {
    return database.change(
        handle -> {
          // Under the lock, no other node can add the same version of a key or destroy the keys;
          // rows that refer to the tenant can still be inserted. There is no lock if the keys were
          // destroyed.
          if (!JdbiTenants.lock(handle, tenantId, "AND shredded_at IS NULL FOR NO KEY UPDATE")
              || keys.stream().anyMatch(key -> exists(handle, tenantId, key))) {
            return false;
          }
          insert(handle, tenantId, keys);
          EntryRows.add(handle, entry);
          return true;
        });
  }

  /** Returns whether the tenant has a key with this purpose and version. */
  private static boolean exists(Handle handle, TenantId tenantId, WrappedKey key) {
    return handle
        .createQuery(
            """
            SELECT 1 FROM tenant_key
            WHERE tenant_id = :tenant AND purpose = :purpose AND version = :version
            """)
        .bind("tenant", tenantId.value())
        .bind("purpose", key.purpose().value())
        .bind("version", key.version())
        .mapTo(Integer.class)
        .findOne()
        .isPresent();
  }

  /** Inserts keys of a new or locked tenant, whose purposes and versions must be new for it. */
  static void insert(Handle handle, TenantId tenantId, List<WrappedKey> keys) {
    handle
        .createUpdate(
            """
            INSERT INTO tenant_key (tenant_id, purpose, version, wrapped)
            SELECT :tenant, purpose, version, wrapped
            FROM unnest(:purposes::text[], :versions::integer[], :wrapped::bytea[])
              AS key (purpose, version, wrapped)
            """)
        .bind("tenant", tenantId.value())
        .bind("purposes", SqlValues.texts(keys, each -> each.purpose().value()))
        .bind("versions", SqlValues.integers(keys, WrappedKey::version))
        .bind("wrapped", SqlValues.bytes(keys, WrappedKey::wrapped))
        .execute();
  }

  @Override
  public boolean replace(TenantId tenantId, WrappedKey from, WrappedKey to) {
    // Comparing the wrapped key makes the rotation of a master key safe to run on several nodes.
    return database.run(
            handle ->
                handle
                    .createUpdate(
                        """
                        UPDATE tenant_key SET wrapped = :to
                        WHERE tenant_id = :tenant AND purpose = :purpose AND version = :version
                          AND wrapped = :from
                        """)
                    .bind("to", to.wrapped())
                    .bind("tenant", tenantId.value())
                    .bind("purpose", from.purpose().value())
                    .bind("version", from.version())
                    .bind("from", from.wrapped())
                    .execute())
        > 0;
  }

  @Override
  public boolean destroy(TenantId tenantId, AuditEntry entry) {
    return database.change(
        handle -> {
          // Waits for transactions that hold the keys by requireKeys, so that none of them stores
          // data afterwards that nothing can decrypt.
          if (!JdbiTenants.lock(handle, tenantId)
              || handle.execute("DELETE FROM tenant_key WHERE tenant_id = ?", tenantId.value())
                  == 0) {
            return false;
          }
          handle.execute(
              "UPDATE tenant SET shredded_at = clock_timestamp() WHERE tenant_id = ?",
              tenantId.value());
          EntryRows.add(handle, entry);
          return true;
        });
  }
}
