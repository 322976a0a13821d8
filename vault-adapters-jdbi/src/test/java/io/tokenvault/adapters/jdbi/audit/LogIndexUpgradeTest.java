package io.tokenvault.adapters.jdbi.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.StatementObserver;
import io.tokenvault.adapters.jdbi.TestDatabase;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.LogFilter;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.store.PageRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the upgrade of a log with a large month to the index by entity hash. */
final class LogIndexUpgradeTest {

  private static final String CREATE_INDEX = "CREATE INDEX CONCURRENTLY";
  private static final String DROP_INDEXES = "SET lock_timeout";
  private static final String LARGE_MONTH = "audit_entry_2024_01";

  // A page holds one row, so that few make a large table.
  private static final List<String> FILL =
      List.of(
          "SELECT make_audit_partition('2024-01-01')",
          "SELECT make_audit_partition('2024-02-01')",
          "ALTER TABLE " + LARGE_MONTH + " SET (fillfactor = 10)",
          """
          INSERT INTO audit_entry (
            tenant_id, created_at, entity_type, entity_id, operation, message)
          SELECT '%s', '2024-01-01Z'::timestamptz + i * interval '5 min',
                 CASE WHEN i %% 50 = 0 THEN 'of another version' ELSE 'token' END,
                 CASE WHEN i %% 3 = 0 THEN '*' ELSE 'busy' END, 'read', repeat('x', 500)
          FROM generate_series(1, 9000) AS i
          """);

  private final TestDatabase database = TestDatabase.empty();
  private final TenantId tenant = Samples.tenantId();

  /** Fills a log at a schema version. */
  private void fill(String version) {
    database.migrateLegacy(version);
    FILL.forEach(statement -> database.asOwner(statement.formatted(tenant)));
  }

  /** Returns the documented commands, from a given one on, for the large month. */
  private static List<String> commands(String first) throws IOException {
    String page = Files.readString(Path.of("../docs/audit.md"));
    int begin = page.indexOf(first);
    assertThat(begin).as("the page has %s", first).isPositive();
    String block = page.substring(begin, page.indexOf("```", begin));
    return List.of(block.replace("audit_entry_2025_11", LARGE_MONTH).split(";\n"));
  }

  private List<String> indexes() {
    return database.asOwner(
        "SELECT indexrelid::regclass FROM pg_index WHERE indrelid = 'audit_entry'::regclass"
            + " AND indexrelid::regclass::text ~ 'entity|lists$' AND indisvalid"
            + " ORDER BY indexrelid::regclass::text");
  }

  private void assertListsMatchTable(JdbiStores stores) {
    for (String type : new String[] {null, "token", "of another version", "bank"}) {
      for (String id : List.of("*", "busy", "absent")) {
        LogFilter filter =
            new LogFilter(
                Optional.ofNullable(type), Optional.of(id), Optional.empty(), Optional.empty());
        List<String> expected = expected(type, id);
        assertThat(stores.auditLog().walk(tenant, filter, Optional.empty(), 10_000))
            .extracting(each -> String.valueOf(each.sequence()))
            .isEqualTo(expected);
        assertThat(stores.auditLog().list(tenant, filter, new PageRequest(2, 10)).totalItems())
            .isEqualTo(expected.size());
      }
    }
  }

  /** Returns the statement that lists an entity's entries. */
  private String listingSql(JdbiStores stores) {
    AtomicReference<String> statement = new AtomicReference<>("");
    stores.observe(new StatementObserver(context -> statement.set(context.getRenderedSql())));
    LogFilter busy =
        new LogFilter(Optional.empty(), Optional.of("busy"), Optional.empty(), Optional.empty());
    assertThat(stores.auditLog().walk(tenant, busy, Optional.empty(), 10)).hasSize(10);
    return statement.get();
  }

  private List<String> expected(String type, String id) {
    return database.asOwner(
        "SELECT sequence FROM audit_entry WHERE tenant_id = '%s' AND entity_id = '%s' AND %s"
                .formatted(tenant, id, type == null ? "true" : "entity_type = '" + type + "'")
            + " ORDER BY created_at DESC, sequence DESC");
  }

  @Test
  @Tag("long")
  void earlierIndexesAreUsedUntilLargeMonthHasNewOne() throws IOException {
    fill("10");
    try (JdbiStores stores = database.stores()) {
      assertThat(indexes()).containsExactly("audit_entry_by_entity", "audit_entry_lists");
      assertListsMatchTable(stores);
      assertThat(listingSql(stores)).doesNotContain("WITH RECURSIVE", "audit_entity_hash");

      assertNewIndexReplacesOthers(stores);
    }
  }

  @Test
  @Tag("long")
  void formerIndexIsUsedUntilLargeMonthHasNewOne() throws IOException {
    fill("11");
    try (JdbiStores stores = database.stores()) {
      assertThat(indexes()).containsExactly("audit_entry_of_entity");
      assertListsMatchTable(stores);
      assertThat(listingSql(stores)).contains("WITH RECURSIVE").doesNotContain("audit_entity_hash");

      assertNewIndexReplacesOthers(stores);
    }
  }

  private void assertNewIndexReplacesOthers(JdbiStores stores) throws IOException {
    commands(CREATE_INDEX).forEach(database::asOwner);
    assertThat(indexes()).contains("audit_entry_by_entity_hash");
    assertListsMatchTable(stores);
    assertThat(listingSql(stores)).contains("WITH RECURSIVE", "audit_entity_hash");

    commands(DROP_INDEXES).forEach(database::asOwner);
    assertThat(indexes()).containsExactly("audit_entry_by_entity_hash");
    assertListsMatchTable(stores);
    stores.ensurePartitions();
  }

  /** Makes all hashes equal, so that the hash alone does not distinguish entities and tenants. */
  @Test
  @Tag("long")
  void entitiesWithEqualHashesAreListedSeparately() {
    database.migrateLegacy("15");
    database.asOwner(
        "CREATE OR REPLACE FUNCTION audit_entity_hash(tenant uuid, entity text) RETURNS bigint"
            + " LANGUAGE sql IMMUTABLE RETURN 0 * length(entity)");
    FILL.forEach(statement -> database.asOwner(statement.formatted(tenant)));
    database.asOwner(FILL.get(FILL.size() - 1).formatted(Samples.tenantId()));

    try (JdbiStores stores = database.stores()) {
      assertThat(indexes()).containsExactly("audit_entry_by_entity_hash");
      assertThat(listingSql(stores)).contains("audit_entity_hash");
      assertListsMatchTable(stores);
    }
  }
}
