package io.tokenvault.adapters.jdbi.schema;

import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.ports.store.Readiness;
import org.jdbi.v3.core.Handle;

/**
 * The contract between a schema and the nodes that it serves. Migrations add, and nodes of earlier
 * versions continue to work. A migration that removes something states in its name the oldest
 * version whose nodes do not need it: {@code V9__needs_8__no_old_column.sql}. Nodes that know only
 * older versions do not serve on that schema.
 *
 * <p>A node is ready if the database responds, accepts writes, has the schema that this version
 * needs, and has no migration that excludes this version.
 */
public final class SchemaContract implements Readiness {

  /**
   * Selects the oldest version that the schema serves, from the names of the migrations that ran.
   */
  private static final String OLDEST_SERVED =
      """
      (SELECT coalesce(max(CAST(substring(description FROM '^needs ([0-9]+)') AS integer)), 0)
      FROM vault_schema_history WHERE success)
      """;

  /** Selects whether the database accepts writes, has the needed version, and still serves it. */
  private static final String READY =
      """
      SELECT current_setting('transaction_read_only') = 'off' AND EXISTS (
        SELECT 1 FROM vault_schema_history WHERE success AND version = :version)
      AND :known >=
      """
          + OLDEST_SERVED;

  private final Database database;

  /** Creates the contract of a database's schema. */
  public SchemaContract(Database database) {
    this.database = database;
  }

  /** Returns whether this node can serve. A database that cannot be reached is not ready. */
  @Override
  public boolean isReady() {
    try {
      return database.run(
          handle ->
              handle
                  .createQuery(READY)
                  .bind("version", String.valueOf(Migrations.NEEDED_VERSION))
                  .bind("known", Migrations.NEEDED_VERSION)
                  .mapTo(Boolean.class)
                  .one());
    } catch (RuntimeException unreachable) {
      return false;
    }
  }

  /**
   * Checks that the schema serves this node.
   *
   * @param handle a connection to the database
   * @param known the newest version that this node knows
   * @throws IllegalStateException if the schema no longer serves it
   */
  static void requireServed(Handle handle, int known) {
    int oldest = handle.createQuery("SELECT " + OLDEST_SERVED).mapTo(Integer.class).one();
    if (oldest > known) {
      throw new IllegalStateException(
          "its schema requires a server that supports version "
              + oldest
              + " or later; this one supports version "
              + known);
    }
  }
}
