package io.tokenvault.adapters.jdbi;

import io.tokenvault.ports.spi.Readiness;

/** Ready when the database answers, takes writes and has the schema that this version needs. */
final class JdbiReadiness implements Readiness {

  private static final String STATEMENT =
      """
      SELECT current_setting('transaction_read_only') = 'off' AND EXISTS (
        SELECT 1 FROM flyway_schema_history WHERE success AND version = :version)
      """;

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
                  .mapTo(Boolean.class)
                  .one());
    } catch (RuntimeException unreachable) {
      return false;
    }
  }
}
