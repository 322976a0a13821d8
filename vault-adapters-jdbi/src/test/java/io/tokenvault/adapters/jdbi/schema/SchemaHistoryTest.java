package io.tokenvault.adapters.jdbi.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.TestDatabase;
import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.DatabaseConnections;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.contract.Race;
import io.tokenvault.ports.contract.Samples;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the history table beside a host application's and after releases that shared its table. */
final class SchemaHistoryTest {

  private static final String LAST_SHARED_VERSION = "11";
  private static final String HISTORY =
      "SELECT concat_ws(' ', version, script, checksum, installed_on) FROM %s ORDER BY"
          + " version::int";

  private final TestDatabase database = TestDatabase.empty();

  private void open() {
    JdbiStores.open(database.settings()).close();
  }

  private List<String> tables() {
    return database.asOwner(
        "SELECT relname FROM pg_class"
            + " WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')");
  }

  private List<String> history(String table) {
    return database.asOwner(HISTORY.formatted(table));
  }

  @Test
  void hostApplicationHistoryIsNotAdopted() {
    database.migrateHostApplication();

    assertThatThrownBy(this::open)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("requires a separate database");

    assertThat(tables()).containsExactlyInAnyOrder("of_the_host", "flyway_schema_history");
    assertThat(history("flyway_schema_history")).hasSize(1);
  }

  @Tag("long")
  @Test
  void formerHistoryIsAdoptedAndNothingRunsTwice() {
    database.migrateLegacy("9");
    TenantId tenant = Samples.tenantId();
    database.asOwner("INSERT INTO tenant (tenant_id, name) VALUES ('%s', 'old')".formatted(tenant));
    List<String> before = history("flyway_schema_history");

    open();
    open();

    assertThat(history("vault_schema_history"))
        .startsWith(before.toArray(String[]::new))
        .hasSize(Migrations.NEEDED_VERSION);
    assertThat(database.asOwner("SELECT tenant_id FROM tenant")).containsExactly(tenant.toString());
    assertThat(tables()).as("tables of a host application").doesNotContain("of_the_host");
  }

  @Test
  void schemaWithMissingOrFailedMigrationIsIncomplete() {
    assertThat(isComplete(1)).as("no schema").isFalse();

    database.migrateLegacy("9");
    assertThat(isComplete(9)).as("shared table only").isFalse();
    database.asOwner("ALTER TABLE flyway_schema_history RENAME TO vault_schema_history");

    assertThat(isComplete(10)).isFalse();
    assertThat(isComplete(9)).isTrue();
    assertThat(isComplete(8)).isTrue();
    database.asOwner("UPDATE vault_schema_history SET success = false WHERE version = '7'");
    assertThat(isComplete(9)).isFalse();
  }

  private boolean isComplete(int version) {
    return new Database(new DatabaseConnections(database.settings()).forMigrations())
        .run(handle -> SchemaHistory.isComplete(handle, version));
  }

  @Test
  @Tag("long")
  void formerVersionNodesRunAndStartOnAdoptedSchema() throws SQLException {
    database.migrateLegacy(LAST_SHARED_VERSION);
    // Nodes of the former version grant the runtime role its privileges.
    database.asOwner("SELECT grant_runtime('%s')".formatted(TestDatabase.runtime().user()));

    open();

    // The readiness query of the former version.
    assertThat(
            database.asRuntime(
                "SELECT EXISTS (SELECT 1 FROM flyway_schema_history WHERE success AND version = '"
                    + LAST_SHARED_VERSION
                    + "')"))
        .containsExactly("t");
    assertThat(database.migrateLegacy(LAST_SHARED_VERSION)).isZero();
    database.asOwner("SELECT grant_runtime('%s')".formatted(TestDatabase.runtime().user()));
    // A migration that excludes former nodes is recorded in the table that they read.
    assertThat(history("flyway_schema_history")).isEqualTo(history("vault_schema_history"));
  }

  @Test
  @Tag("long")
  void laterMigrationsOfFormerVersionNodeAreAdopted() {
    database.migrateLegacy("9");
    new Migrations(new DatabaseConnections(database.settings())).current();
    database.migrateLegacy(LAST_SHARED_VERSION);

    open();

    assertThat(history("vault_schema_history")).hasSize(Migrations.NEEDED_VERSION);
  }

  @Test
  @Tag("long")
  void hostApplicationRowStaysInSharedTable() {
    database.migrateLegacy(LAST_SHARED_VERSION);
    database.asOwner(
        "INSERT INTO flyway_schema_history (installed_rank, version, description, type, script,"
            + " checksum, installed_by, execution_time, success)"
            + " VALUES (77, '500', 'of the host', 'SQL', 'V500__of_the_host.sql', 5, 'x', 1,"
            + " true)");

    open();

    assertThat(history("vault_schema_history")).hasSize(Migrations.NEEDED_VERSION);
    assertThat(history("flyway_schema_history")).hasSize(Migrations.NEEDED_VERSION + 1);
  }

  @Test
  @Tag("long")
  void concurrentNodesAdoptHistoryOnce() {
    database.migrateLegacy("10");
    Race.run(Collections.nCopies(4, Executors.callable(this::open)));

    assertThat(history("vault_schema_history")).hasSize(Migrations.NEEDED_VERSION);
    assertThat(history("flyway_schema_history")).hasSize(Migrations.NEEDED_VERSION);
  }
}
