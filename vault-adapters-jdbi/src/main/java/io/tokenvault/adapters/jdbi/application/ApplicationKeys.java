package io.tokenvault.adapters.jdbi.application;

import io.tokenvault.domain.application.KeyGrace;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyHash;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * The API keys of one application: its current one, and earlier ones in their grace period.
 *
 * <p>Callers hold a lock on the application's row, so that its keys do not change meanwhile.
 */
final class ApplicationKeys {

  private ApplicationKeys() {}

  /**
   * Adds a new key, which inherits the time of the application's last use. Without a grace period,
   * earlier keys are removed at once; otherwise they continue to authenticate until it ends.
   *
   * @param owner the id of the application, whose row the caller has locked
   * @param hash the hash of the new key
   * @param grace the grace period of earlier keys
   * @throws RefusedException if the application has too many keys in their grace period
   */
  static void replace(Handle handle, TenantId tenantId, UUID owner, KeyHash hash, KeyGrace grace) {
    if (!grace.isNone()) {
      requireRoom(handle, tenantId, owner);
      letEnd(handle, tenantId, owner, grace);
    }
    add(handle, tenantId, owner, hash);
    if (grace.isNone()) {
      removeOthers(handle, tenantId, owner, hash);
    }
  }

  /**
   * Checks that one more earlier key is permitted. Expired keys that are not deleted yet do not
   * count.
   */
  private static void requireRoom(Handle handle, TenantId tenantId, UUID owner) {
    int working =
        handle
            .createQuery(
                """
                SELECT count(*) FROM credential
                WHERE tenant_id = :tenant AND owner_id = :owner
                  AND (ends_at IS NULL OR ends_at > clock_timestamp())
                """)
            .bind("tenant", tenantId.value())
            .bind("owner", owner)
            .mapTo(Integer.class)
            .one();
    if (working > KeyGrace.MOST_EARLIER_KEYS) {
      throw RefusedException.tooManyKeys(KeyGrace.MOST_EARLIER_KEYS);
    }
  }

  /** Sets the end of all present keys, unless they end sooner. */
  private static void letEnd(Handle handle, TenantId tenantId, UUID owner, KeyGrace grace) {
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

  /** Inserts the new key with the latest use of the application's keys. */
  private static void add(Handle handle, TenantId tenantId, UUID owner, KeyHash hash) {
    handle
        .createUpdate(
            """
            INSERT INTO credential (
              key_hash, hash_version, kind, tenant_id, owner_id, last_used_at)
            SELECT :hash, :version, 'api', :tenant, :owner, max(last_used_at)
            FROM credential WHERE tenant_id = :tenant AND owner_id = :owner
            """)
        .bind("hash", hash.bytes())
        .bind("version", hash.version())
        .bind("tenant", tenantId.value())
        .bind("owner", owner)
        .execute();
  }

  /** Deletes all keys but the new one. */
  private static void removeOthers(Handle handle, TenantId tenantId, UUID owner, KeyHash hash) {
    handle
        .createUpdate(
            """
            DELETE FROM credential
            WHERE tenant_id = :tenant AND owner_id = :owner AND key_hash <> :hash
            """)
        .bind("tenant", tenantId.value())
        .bind("owner", owner)
        .bind("hash", hash.bytes())
        .execute();
  }

  /**
   * Deletes keys of any tenant whose grace period has ended, except those that another node is
   * deleting. Returns how many were deleted.
   */
  static int deleteEnded(Handle handle, int limit) {
    return handle
        .createUpdate(
            """
            DELETE FROM credential WHERE key_hash IN (
              SELECT key_hash FROM credential WHERE ends_at <= now()
              ORDER BY ends_at LIMIT :limit FOR UPDATE SKIP LOCKED)
            """)
        .bind("limit", limit)
        .execute();
  }
}
