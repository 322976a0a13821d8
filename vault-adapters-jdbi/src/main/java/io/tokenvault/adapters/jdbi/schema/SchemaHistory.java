package io.tokenvault.adapters.jdbi.schema;

import io.tokenvault.adapters.jdbi.sql.Database;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.jdbi.v3.core.Handle;

/**
 * The history of migrations, in a table that only the vault uses: a host application with Flyway
 * has another one.
 *
 * <p>Up to version 11 of the schema, the history was in Flyway's default table. Nodes of those
 * versions still use it, so that table is kept, and completed after each migration.
 */
public final class SchemaHistory {

  /** Name of the table. */
  public static final String TABLE = "vault_schema_history";

  /** Selects whether the legacy table exists and is accessible, and so could be the vault's. */
  private static final String HAS_LEGACY_TABLE =
      """
      SELECT EXISTS (
        SELECT FROM pg_class
        WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'
          AND relname = 'flyway_schema_history' AND has_table_privilege(oid, 'SELECT, INSERT'))
      """;

  /**
   * Selects whether the legacy table contains the vault's first script. A host application's table
   * of this name has other scripts.
   */
  private static final String IS_OURS =
      """
      SELECT EXISTS (
        SELECT FROM flyway_schema_history
        WHERE success AND version = '1' AND script = ? AND checksum = ?)
      """;

  /** Selects whether the vault's own table exists. */
  private static final String EXISTS =
      """
      SELECT EXISTS (
        SELECT FROM pg_class
        WHERE relnamespace = current_schema()::regnamespace AND relname = 'vault_schema_history')
      """;

  /** Creates the table exactly as Flyway would. */
  private static final List<String> CREATE =
      List.of(
          "CREATE TABLE vault_schema_history (LIKE flyway_schema_history INCLUDING DEFAULTS)",
          """
          ALTER TABLE vault_schema_history
            ADD CONSTRAINT vault_schema_history_pk PRIMARY KEY (installed_rank)
          """,
          "CREATE INDEX vault_schema_history_s_idx ON vault_schema_history (success)");

  /** Copies the successful migrations of the vault's scripts that are missing in the new table. */
  private static final String TAKE_OVER =
      """
      INSERT INTO vault_schema_history
      SELECT * FROM flyway_schema_history AS former
      WHERE success
        AND EXISTS (
          SELECT FROM unnest(:scripts, :checksums) AS own (script, checksum)
          WHERE own.script = former.script AND own.checksum = former.checksum)
        AND NOT EXISTS (
          SELECT FROM vault_schema_history AS known WHERE known.version = former.version)
      """;

  /**
   * Copies successful migrations that are missing in the legacy table, ranked after its last row.
   */
  private static final String COMPLETE_LEGACY_TABLE =
      """
      INSERT INTO flyway_schema_history (
        installed_rank, version, description, type, script, checksum, installed_by, installed_on,
        execution_time, success)
      SELECT (SELECT max(installed_rank) FROM flyway_schema_history)
               + row_number() OVER (ORDER BY installed_rank),
             version, description, type, script, checksum, installed_by, installed_on,
             execution_time, success
      FROM vault_schema_history AS own
      WHERE success AND NOT EXISTS (
        SELECT FROM flyway_schema_history AS former WHERE former.version = own.version)
      """;

  private static final String CURRENT =
      """
      SELECT coalesce(max(CAST(version AS integer)), 0) FROM vault_schema_history
      WHERE success AND version IS NOT NULL
      """;

  /** Selects whether all migrations succeeded and one led to a version. */
  private static final String IS_AT =
      """
      SELECT coalesce(bool_and(success) AND bool_or(version = ?), false)
      FROM vault_schema_history
      """;

  private final Database database;

  SchemaHistory(DataSource source) {
    this.database = new Database(source);
  }

  /**
   * Copies the history of nodes of earlier versions, if there is one. Migrations that such a node
   * runs at the same time are copied by the next start.
   */
  void takeOver(Flyway flyway) {
    withLegacyTable(
        flyway,
        (handle, own) -> {
          if (!exists(handle)) {
            CREATE.forEach(handle::execute);
          }
          handle
              .createUpdate(TAKE_OVER)
              .bindArray(
                  "scripts", String.class, own.stream().map(MigrationInfo::getScript).toList())
              .bindArray(
                  "checksums", Integer.class, own.stream().map(MigrationInfo::getChecksum).toList())
              .execute();
        });
  }

  /** Adds recent migrations to the legacy table, for nodes of earlier versions, if it exists. */
  void completeLegacyTable(Flyway flyway) {
    withLegacyTable(flyway, (handle, own) -> handle.execute(COMPLETE_LEGACY_TABLE));
  }

  /**
   * Returns whether the schema has a version or a later one, without a legacy table that may have
   * to be completed. If so, Flyway has nothing to do, and a start saves its time.
   */
  static boolean isComplete(Handle handle, int version) {
    return !hasLegacyTable(handle)
        && exists(handle)
        && handle.select(IS_AT, String.valueOf(version)).mapTo(Boolean.class).one();
  }

  /** Returns the version of the schema; 0 if there is none. */
  int version() {
    return database.run(handle -> exists(handle) ? version(handle) : 0);
  }

  /** Returns the version of the schema, whose history exists. */
  public static int version(Handle handle) {
    return handle.createQuery(CURRENT).mapTo(Integer.class).one();
  }

  /**
   * Runs a task in a transaction if the legacy table exists and is the vault's. An advisory lock
   * and a lock on the table keep other nodes from changing the history meanwhile.
   *
   * @param task receives all migrations that this version resolves
   */
  private void withLegacyTable(Flyway flyway, BiConsumer<Handle, List<MigrationInfo>> task) {
    if (!database.run(SchemaHistory::hasLegacyTable)) {
      return;
    }
    List<MigrationInfo> own =
        Arrays.stream(flyway.info().all()).filter(each -> each.getState().isResolved()).toList();
    database.change(
        handle -> {
          handle.execute("SELECT pg_advisory_xact_lock(hashtext('token-vault schema history'))");
          if (isOurs(handle, own.get(0))) {
            handle.execute("LOCK TABLE flyway_schema_history IN SHARE ROW EXCLUSIVE MODE");
            task.accept(handle, own);
          }
          return handle;
        });
  }

  /** Returns whether the legacy table contains the vault's first script with its checksum. */
  private static boolean isOurs(Handle handle, MigrationInfo first) {
    return handle
        .select(IS_OURS, first.getScript(), first.getChecksum())
        .mapTo(Boolean.class)
        .one();
  }

  private static boolean hasLegacyTable(Handle handle) {
    return handle.createQuery(HAS_LEGACY_TABLE).mapTo(Boolean.class).one();
  }

  private static boolean exists(Handle handle) {
    return handle.createQuery(EXISTS).mapTo(Boolean.class).one();
  }
}
