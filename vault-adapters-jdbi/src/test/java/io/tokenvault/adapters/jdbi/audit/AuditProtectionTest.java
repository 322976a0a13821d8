package io.tokenvault.adapters.jdbi.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.TestDatabase;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.store.Preconditions;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the audit log is append-only for the runtime role, by its privileges, and for the
 * owner, by a trigger.
 */
final class AuditProtectionTest {

  private static final String INSERT =
      "INSERT INTO audit_entry (tenant_id, entity_type, entity_id, operation, message, ";
  private static final String VALUES =
      ") SELECT gen_random_uuid(), 'token', 'x', 'create', 'fake', ";

  private static final TestDatabase DATABASE = TestDatabase.migrated();
  @AutoClose private static JdbiStores stores;

  @BeforeAll
  static void recordEntry() {
    stores = DATABASE.stores();
    TenantId tenant = Samples.tenantId();
    stores.recorder().record(List.of(Samples.entry(tenant)), Preconditions.none(tenant));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE audit_entry SET message = 'changed'",
        "DELETE FROM audit_entry",
        "TRUNCATE audit_entry",
      })
  void triggerRejectsTheOwner(String statement) {
    assertThatThrownBy(() -> DATABASE.asOwner(statement))
        .hasMessageContaining("the audit log is append-only");
    assertThat(DATABASE.asOwner("SELECT message FROM audit_entry")).containsExactly("an entry");
  }

  @Test
  void triggerRejectsTheOwnerOnEveryPartition() {
    List<String> partitions = partitions();
    assertThat(partitions).hasSize(4);
    for (String partition : partitions) {
      assertThatThrownBy(() -> DATABASE.asOwner("TRUNCATE " + partition))
          .hasMessageContaining("the audit log is append-only");
    }
    assertThatThrownBy(
            () -> partitions.forEach(partition -> DATABASE.asOwner("DELETE FROM " + partition)))
        .hasMessageContaining("the audit log is append-only");
  }

  private static List<String> partitions() {
    return DATABASE.asOwner(
        "SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'audit_entry'::regclass");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE audit_entry SET message = 'changed'",
        "DELETE FROM audit_entry",
        "TRUNCATE audit_entry",
        "DROP TABLE audit_entry",
        "ALTER TABLE audit_entry DISABLE TRIGGER ALL",
        "SELECT * FROM audit_entry_default",
        "CREATE TABLE mine (x int)",
        "SELECT grant_runtime('vault_runtime')",
        "UPDATE vault_schema_history SET success = false",
        "INSERT INTO audit_seal (position) VALUES (1)",
        "INSERT INTO audit_drop (month) VALUES ('2024-01-01')",
        "SELECT setval('audit_entry_sequence', 1)",
        INSERT + "sequence" + VALUES + "9223372036854775807",
        INSERT + "sequence" + VALUES + "1",
        INSERT + "transaction_id" + VALUES + "'9223372036854775807'",
      })
  void runtimeRoleIsDeniedStatement(String statement) {
    assertRejected(statement, "42501");
  }

  private static void assertRejected(String statement, String sqlState) {
    assertThatThrownBy(() -> DATABASE.asRuntime(statement))
        .isInstanceOf(SQLException.class)
        .hasFieldOrPropertyWithValue("SQLState", sqlState);
  }

  @ParameterizedTest
  @ValueSource(strings = {"infinity", "-infinity", "294276-12-31", "10000-01-01Z", "1969-12-31Z"})
  void runtimeRoleCannotAddEntryOutsideTimeRange(String time) {
    assertRejected(INSERT + "created_at" + VALUES + "'" + time + "'::timestamptz", "23514");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9223372036854775807, array[now()], array[5], sha256('')",
        "2, array[now()], array[5], sha256('')",
        "1, array['infinity'::timestamptz], array[5], sha256('')",
        "1, array[NULL]::timestamptz[], array[NULL]::bigint[], sha256('')",
        "1, array[now()], array[NULL]::bigint[], sha256('')",
        "1, '[2:2]={2026-01-01Z}', array[5], sha256('')",
        "1, array[now()], array[5], '\\x00'",
      })
  void runtimeRoleCannotAddUnreadableChainLink(String values) {
    assertRejected(
        "INSERT INTO audit_seal (tenant_id, mac, mac_key, number, times, sequences, head)"
            + " SELECT gen_random_uuid(), '\\x00', 1, "
            + values,
        "23514");
  }

  @Test
  void everyPartitionHasTimeRangeCheck() {
    assertThat(
            DATABASE.asOwner(
                "SELECT conrelid::regclass FROM pg_constraint"
                    + " WHERE conname = 'audit_entry_usual_time' AND coninhcount > 0"))
        .containsExactlyInAnyOrderElementsOf(partitions());
  }
}
