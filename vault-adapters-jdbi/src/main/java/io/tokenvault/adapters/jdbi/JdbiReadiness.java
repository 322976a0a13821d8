package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.spi.Readiness;

/**
 * Ready when the database answers, takes writes, has the schema that this version needs, and none
 * that has left it behind.
 */
final class JdbiReadiness implements Readiness {

  private static final String STATEMENT =
      """
      SELECT current_setting('transaction_read_only') = 'off' AND EXISTS (
        SELECT 1 FROM vault_schema_history WHERE success AND version = :version)
      AND :known >=
      """
          + SchemaContract.OLDEST_SERVED;

  private final Database database;

  JdbiReadiness(Database database) {
    this.database = database;
  }

  @Override
  public boolean isReady() {
    try {
      return database.run(
          handle ->
              handle
                  .createQuery(STATEMENT)
                  .bind("version", Migrations.NEEDED_VERSION)
                  .bind("known", Migrations.known())
                  .mapTo(Boolean.class)
                  .one());
    } catch (RuntimeException unreachable) {
      return false;
    }
  }
}
