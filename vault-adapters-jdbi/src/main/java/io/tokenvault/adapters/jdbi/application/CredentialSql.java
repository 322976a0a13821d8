package io.tokenvault.adapters.jdbi.application;

import io.tokenvault.adapters.jdbi.sql.SqlValues;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.crypto.KeyHash;
import java.util.Collection;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** The hashes of keys, by which applications and proxies are found. */
public final class CredentialSql {

  static final String API = "api";
  public static final String PROXY = "proxy";

  private CredentialSql() {}

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

  /** Replaces a hash by another one of the same key, unless it has changed since. */
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

  public static void remove(Handle handle, TenantId tenantId, Collection<UUID> owners) {
    handle
        .createUpdate(
            "DELETE FROM credential WHERE tenant_id = :tenant AND owner_id = ANY (:owners)")
        .bind("tenant", tenantId.value())
        .bind("owners", SqlValues.uuids(owners))
        .execute();
  }
}
