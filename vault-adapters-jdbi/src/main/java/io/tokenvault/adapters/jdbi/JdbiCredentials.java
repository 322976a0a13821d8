package io.tokenvault.adapters.jdbi;

import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.spi.CredentialStore;
import io.tokenvault.ports.spi.KeyHash;

/** Hashes of keys in PostgreSQL. */
final class JdbiCredentials implements CredentialStore {

  private final Database database;

  JdbiCredentials(Database database) {
    this.database = database;
  }

  @Override
  public void renew(TenantId tenantId, KeyHash from, KeyHash to) {
    database.run(
        handle ->
            handle
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
                .execute());
  }
}
