package io.tokenvault.adapters.jdbi.schema;

import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.ports.store.Readiness;

/**
 * Which nodes a schema still serves. Migrations add, and nodes of earlier versions go on working. A
 * migration that takes something away says in its name the oldest version whose nodes do without
 * it: {@code V9__needs_8__no_old_column.sql}. Nodes that know less do not serve on that schema.
 *
 * <p>A node is ready when the database answers, takes writes, has the schema that this version
 * needs, and none that has left it behind.
 */
public final class SchemaContract implements Readiness {

  /** The oldest version that the schema serves, by the migrations that were run on it. */
  private static final String OLDEST_SERVED =
      """
      (SELECT coalesce(max(CAST(substring(description FROM '^needs ([0-9]+)') AS integer)), 0)
      FROM vault_schema_history WHERE success)
      """;

  private static final String READY =
      """
      SELECT current_setting('transaction_read_only') = 'off' AND EXISTS (
        SELECT 1 FROM vault_schema_history WHERE success AND version = :version)
      AND :known >=
      """
          + OLDEST_SERVED;

  private final Database database;

  public SchemaContract(Database database) {
    this.database = database;
  }

  @Override
  public boolean isReady() {
    try {
      return database.run(
          handle ->
              handle
                  .createQuery(READY)
                  .bind("version", Migrations.NEEDED_VERSION)
                  .bind("known", Migrations.known())
                  .mapTo(Boolean.class)
                  .one());
    } catch (RuntimeException unreachable) {
      return false;
    }
  }

  /**
   * @param known the newest version that this node knows
   * @throws IllegalStateException if the schema does not serve it any more
   */
  void requireServed(int known) {
    int oldest =
        database.run(
            handle -> handle.createQuery("SELECT " + OLDEST_SERVED).mapTo(Integer.class).one());
    if (oldest > known) {
      throw new IllegalStateException(
          "its schema needs a server that knows version "
              + oldest
              + " of it or a later one; this one knows version "
              + known);
    }
  }
}
