package io.tokenvault.adapters.jdbi;

import javax.sql.DataSource;

/**
 * Which nodes a schema still serves. Migrations add, and nodes of earlier versions go on working. A
 * migration that takes something away says in its name the oldest version whose nodes do without
 * it: {@code V9__needs_8__no_old_column.sql}. Nodes that know less do not serve on that schema.
 */
final class SchemaContract {

  /** The oldest version that the schema serves, by the migrations that were run on it. */
  static final String OLDEST_SERVED =
      """
      (SELECT coalesce(max(CAST(substring(description FROM '^needs ([0-9]+)') AS integer)), 0)
      FROM vault_schema_history WHERE success)
      """;

  private final Database database;

  SchemaContract(DataSource source) {
    this.database = new Database(source);
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
