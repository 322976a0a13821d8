package io.tokenvault.adapters.jdbi.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.TestDatabase;
import io.tokenvault.domain.audit.RecordedEntry;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.store.Preconditions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests monthly partitions, which are created ahead and filled from the default partition. */
final class PartitionsTest {

  private static final String COUNT_IN_DEFAULT = "SELECT count(*) FROM audit_entry_default";

  private final TestDatabase database = TestDatabase.migrated();
  @AutoClose private final JdbiStores stores = database.stores();
  private final TenantId tenant = Samples.tenantId();

  private void record(String message) {
    stores.recorder().record(List.of(Samples.entry(tenant, message)), Preconditions.none(tenant));
  }

  private List<RecordedEntry> walk() {
    return stores.auditLog().walk(tenant, LogFilter.all(), Optional.empty(), 100);
  }

  private List<String> months() {
    return database.asOwner(
        "SELECT inhrelid::regclass::text FROM pg_inherits"
            + " WHERE inhparent = 'audit_entry'::regclass"
            + " AND inhrelid <> 'audit_entry_default'::regclass ORDER BY 1");
  }

  private List<String> expectedMonths(int ahead) {
    return database.asOwner(
        "SELECT to_char(date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC')"
            + " + make_interval(months => i), '\"audit_entry_\"YYYY_MM')"
            + " FROM generate_series(0, "
            + ahead
            + ") i");
  }

  @Test
  void currentAndNextTwoMonthsExistInitially() {
    assertThat(months()).isEqualTo(expectedMonths(2));
    record("one");
    assertThat(database.asOwner(COUNT_IN_DEFAULT)).containsExactly("0");
  }

  @Test
  void defaultPartitionEntriesAreMovedUnchangedToTheirMonths() {
    months().forEach(month -> database.asOwner("DROP TABLE " + month));
    record("this month");
    database.insertEntry(tenant, "2024-02-29T23:59:59.999999Z", "old");
    List<RecordedEntry> before = walk();

    stores.ensurePartitions();

    assertThat(before).hasSize(2);
    assertThat(walk()).isEqualTo(before);
    assertThat(database.asOwner(COUNT_IN_DEFAULT)).containsExactly("0");
    assertThat(months()).contains("audit_entry_2024_02").containsAll(expectedMonths(2));
    assertThat(database.asOwner("SELECT message FROM audit_entry_2024_02")).containsExactly("old");
  }

  @Test
  void partitionFilledByMoveIsAppendOnlyLikeOthers() {
    months().forEach(month -> database.asOwner("DROP TABLE " + month));
    record("moved");
    stores.ensurePartitions();
    record("after");
    for (String statement : List.of("DELETE FROM %s", "UPDATE %s SET message = 'x'")) {
      assertThatThrownBy(() -> database.asOwner(statement.formatted(expectedMonths(0).get(0))))
          .hasMessageContaining("the audit log is append-only");
    }
    database.insertEntry(tenant, "2020-01-01Z", "old");
    assertThatThrownBy(() -> database.asOwner("DELETE FROM audit_entry_default"))
        .hasMessageContaining("the audit log is append-only");
  }

  @Test
  void everyPartitionHasEveryIndex() {
    stores.ensurePartitions();
    assertThat(
            database.asOwner(
                "SELECT count(*) FROM pg_index WHERE indrelid IN (SELECT inhrelid FROM"
                    + " pg_inherits WHERE inhparent = 'audit_entry'::regclass) GROUP BY indrelid"))
        .hasSize(4)
        .containsOnly("4");
    assertThat(
            database.asOwner(
                "SELECT indisvalid FROM pg_index"
                    + " WHERE indexrelid = 'audit_entry_by_entity_hash'::regclass"))
        .containsExactly("t");
  }
}
