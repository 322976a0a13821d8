package io.tokenvault.adapters.jdbi.application;

import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyHash;
import java.util.Collection;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Hashes of API keys and proxy keys, by which their owners are found. */
public final class CredentialSql {

  /** Kind of an application's current key. */
  static final String API = "api";

  /** Kind of a proxy's key. */
  public static final String PROXY = "proxy";

  private CredentialSql() {}

  /**
   * Inserts the hash of a key.
   *
   * @param kind {@link #API} or {@link #PROXY}
   * @param owner the id of the application or proxy
   */
  public static void add(Handle handle, String kind, TenantId tenantId, UUID owner, KeyHash hash) {
    handle
        .createUpdate(
            """
            INSERT INTO credential (key_hash, hash_version, kind, tenant_id, owner_id)
            VALUES (:hash, :version, :kind, :tenant, :owner)
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
    handle
        .createUpdate(
            "DELETE FROM credential WHERE tenant_id = :tenant AND owner_id = ANY (:owners)")
        .bind("tenant", tenantId.value())
        .bind("owners", SqlValues.uuids(owners))
        .execute();
  }
}
