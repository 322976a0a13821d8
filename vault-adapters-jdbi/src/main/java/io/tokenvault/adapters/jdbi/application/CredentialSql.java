package io.tokenvault.adapters.jdbi.application;

import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.adapters.jdbi.sql.StoredRows;
import io.tokenvault.domain.application.ApplicationId;
import io.tokenvault.domain.application.KeyGrace;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyHash;
import io.tokenvault.ports.store.ApplicationStore.ApplicationUse;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * Hashes of API keys and proxy keys, by which their owners are found, with the times of their last
 * use. An application has a current API key, and earlier ones in their grace period.
 */
public final class CredentialSql {

  /** Kind of an application's current key. */
  static final String API = "api";

  /** Kind of a proxy's key. */
  public static final String PROXY = "proxy";

  private CredentialSql() {}

  /**
   * Inserts the hash of a key, with the latest use of the owner's other keys.
   *
   * @param kind {@link #API} or {@link #PROXY}
   * @param owner the id of the application or proxy
   */
  public static void add(Handle handle, String kind, TenantId tenantId, UUID owner, KeyHash hash) {
    handle
        .createUpdate(
            """
            INSERT INTO credential (
              key_hash, hash_version, kind, tenant_id, owner_id, last_used_at)
            SELECT :hash, :version, :kind, :tenant, :owner, max(last_used_at)
            FROM credential WHERE tenant_id = :tenant AND owner_id = :owner
            """)
        .bind("hash", hash.bytes())
        .bind("version", hash.version())
        .bind("kind", kind)
        .bind("tenant", tenantId.value())
        .bind("owner", owner)
        .execute();
  }

  /**
   * Replaces a hash by one of another version of the same key, unless it was changed meanwhile.
   * Returns the number of rows that changed.
   */
  public static int renew(Handle handle, TenantId tenantId, KeyHash from, KeyHash to) {
    return handle
        .createUpdate(
            """
            UPDATE credential SET key_hash = :to, hash_version = :toVersion
            WHERE key_hash = :from AND hash_version = :fromVersion AND tenant_id = :tenant
            """)
        .bind("to", to.bytes())
        .bind("toVersion", to.version())
        .bind("from", from.bytes())
        .bind("fromVersion", from.version())
        .bind("tenant", tenantId.value())
        .execute();
  }

  /** Deletes all keys of some applications or proxies. */
  public static void remove(Handle handle, TenantId tenantId, Collection<UUID> owners) {
    handle.execute(
        "DELETE FROM credential WHERE tenant_id = ? AND owner_id = ANY (?)",
        tenantId.value(),
        SqlValues.uuids(owners));
  }

  /**
   * Adds a new key, which inherits the time of the application's last use. Without a grace period,
   * earlier keys are removed at once; otherwise they continue to authenticate until it ends. The
   * caller holds a lock on the application's row, so that its keys do not change meanwhile.
   *
   * @param owner the id of the application
   * @param hash the hash of the new key
   * @param grace the grace period of earlier keys
   * @throws RefusedException if the application has too many keys in their grace period
   */
  static void replace(Handle handle, TenantId tenantId, UUID owner, KeyHash hash, KeyGrace grace) {
    if (!grace.isNone()) {
      requireRoomForEarlierKey(handle, tenantId, owner);
      limitEarlierKeys(handle, tenantId, owner, grace);
    }
    add(handle, API, tenantId, owner, hash);
    if (grace.isNone()) {
      handle.execute(
          "DELETE FROM credential WHERE tenant_id = ? AND owner_id = ? AND key_hash <> ?",
          tenantId.value(),
          owner,
          hash.bytes());
    }
  }

  /**
   * Checks that one more earlier key is permitted. Expired keys that are not deleted yet do not
   * count.
   */
  private static void requireRoomForEarlierKey(Handle handle, TenantId tenantId, UUID owner) {
    int working =
        handle
            .select(
                """
                SELECT count(*) FROM credential
                WHERE tenant_id = ? AND owner_id = ?
                  AND (ends_at IS NULL OR ends_at > clock_timestamp())
                """,
                tenantId.value(),
                owner)
            .mapTo(Integer.class)
            .one();
    if (working > KeyGrace.MOST_EARLIER_KEYS) {
      throw RefusedException.tooManyKeys(KeyGrace.MOST_EARLIER_KEYS);
    }
  }

  /** Sets the end of all present keys, unless they end sooner. */
  private static void limitEarlierKeys(
      Handle handle, TenantId tenantId, UUID owner, KeyGrace grace) {
    handle
        .createUpdate(
            """
            WITH grace AS MATERIALIZED (
              SELECT clock_timestamp() + make_interval(secs => :seconds) AS over_at)
            UPDATE credential SET kind = 'ending', ends_at = least(ends_at, over_at)
            FROM grace
            WHERE tenant_id = :tenant AND owner_id = :owner
            """)
        .bind("seconds", grace.duration().toSeconds())
        .bind("tenant", tenantId.value())
        .bind("owner", owner)
        .execute();
  }

  /**
   * Deletes keys of any tenant whose grace period has ended, except those that another node is
   * deleting. Returns how many were deleted. Without {@code MATERIALIZED}, a plan may evaluate the
   * subquery again for each row and delete more than the limit.
   */
  static int deleteEnded(Handle handle, int limit) {
    return handle.execute(
        """
        WITH due AS MATERIALIZED (
          SELECT key_hash AS due_key FROM credential WHERE ends_at <= now()
          ORDER BY ends_at LIMIT ? FOR UPDATE SKIP LOCKED)
        DELETE FROM credential USING due WHERE key_hash = due_key
        """,
        limit);
  }

  /**
   * Records uses that are later than the stored ones, and returns how many there were. Skips keys
   * that a transaction is changing, since recording a use is not worth waiting.
   */
  static int noteUses(Handle handle, Collection<ApplicationUse> uses) {
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
        .bind("tenants", SqlValues.uuids(uses, use -> use.tenantId().value()))
        .bind("ids", SqlValues.uuids(uses, use -> use.id().value()))
        .bind("times", SqlValues.times(uses, ApplicationUse::at))
        .execute();
  }

  /** Returns the last uses of some applications; those never used are absent. */
  static Map<ApplicationId, Instant> lastUses(
      Handle handle, TenantId tenantId, Collection<ApplicationId> ids) {
    return handle
        .createQuery(
            """
            SELECT owner_id, last_used_at FROM credential
            WHERE tenant_id = :tenant AND owner_id = ANY (:ids) AND kind = 'api'
              AND last_used_at IS NOT NULL
            """)
        .bind("tenant", tenantId.value())
        .bind("ids", SqlValues.uuids(ids, ApplicationId::value))
        .map(
            (row, context) ->
                Map.entry(
                    new ApplicationId(row.getObject("owner_id", UUID.class)),
                    StoredRows.time(row, "last_used_at")))
        .collectToMap(Map.Entry::getKey, Map.Entry::getValue);
  }
}
