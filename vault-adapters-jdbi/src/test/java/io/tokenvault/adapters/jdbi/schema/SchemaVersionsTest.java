package io.tokenvault.adapters.jdbi.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.LockedTable;
import io.tokenvault.adapters.jdbi.TestDatabase;
import io.tokenvault.domain.application.KeyGrace;
import io.tokenvault.domain.request.ExpectedVersion;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.contract.Eventually;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.store.TenantStore.NewTenant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests nodes of different versions on a database whose schema is expanded, then contracted. */
final class SchemaVersionsTest {

  private static final Pattern NAME = Pattern.compile("V([0-9]+)__(?:needs_([0-9]+)__)?\\w+\\.sql");
  private static final Pattern REMOVES =
      Pattern.compile(
          "\\bDROP\\s+(?:TABLE|COLUMN|SEQUENCE|VIEW)|\\bRENAME\\b|\\bSET\\s+NOT\\s+NULL"
              + "|ALTER\\s+COLUMN\\s+\\w+\\s+(?:SET\\s+DATA\\s+)?TYPE\\b",
          Pattern.CASE_INSENSITIVE);

  /** The first version whose nodes may run next to nodes of other versions. */
  private static final int FIRST_CHECKED_VERSION = 6;

  /** The statement by which nodes of version 5 record an entry. */
  private static final String FIFTH_VERSION_INSERT =
      """
      INSERT INTO audit_entry (
        tenant_id, created_at, actor_id, actor_type, entity_type, entity_id, operation, message)
      SELECT tenant_id, (SELECT clock_timestamp()), actor_id, actor_type, entity_type, entity_id,
             operation, message
      FROM unnest(
             ARRAY['%1$s']::uuid[], ARRAY['%1$s']::uuid[], ARRAY['application']::text[],
             ARRAY['token']::text[], ARRAY['%1$s']::text[], ARRAY['create']::text[],
             ARRAY['Token created']::text[]) WITH ORDINALITY
           AS entry (
             tenant_id, actor_id, actor_type, entity_type, entity_id, operation, message, place)
      ORDER BY place
      """;

  private static final int CALLS_UNTIL_CACHED = 12;

  private final TestDatabase database = TestDatabase.migrated();

  private void migrateFurther(String folder) {
    database.migrateFurther("classpath:schema/" + folder);
  }

  private static void assertWorks(JdbiStores stores) {
    assertThat(stores.readiness().isReady()).isTrue();
    TenantId tenant = TestDatabase.newTenant(stores);
    assertThat(stores.tenants().list()).extracting("id").contains(tenant);
    stores.ensurePartitions();
  }

  @Test
  void expandedSchemaServesRunningAndNewNodes() {
    try (JdbiStores running = database.stores(TestDatabase.LIMITS, 2)) {
      // Often enough for the server to prepare the statements and cache their generic plans.
      for (int i = 0; i < CALLS_UNTIL_CACHED; i++) {
        assertWorks(running);
      }
      migrateFurther("expanded");
      assertWorks(running);
      try (JdbiStores started = database.stores()) {
        assertWorks(started);
        assertWorks(running);
      }
    }
  }

  @Test
  void contractedSchemaMakesNodesUnreadyAndPreventsStart() {
    try (JdbiStores running = database.stores()) {
      migrateFurther("contracted");

      assertThat(running.readiness().isReady()).isFalse();
      assertThatThrownBy(() -> database.stores())
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("requires a server that supports version 1001");
    }
  }

  @Test
  @Tag("long")
  void longUnusedSchemaCanBeRemovedWhileNodesRun() {
    try (JdbiStores running = database.stores()) {
      migrateFurther("contracted-long-ago");

      assertWorks(running);
      try (JdbiStores started = database.stores()) {
        assertWorks(started);
      }
    }
  }

  @Test
  @Tag("long")
  void fifthVersionNodeStillRecordsChainableEntries() throws SQLException {
    TenantId tenant = Samples.tenantId();
    try (JdbiStores started = database.stores()) {
      assertWorks(started);
      database.asRuntime(FIFTH_VERSION_INSERT.formatted(tenant));

      assertThat(
              database.asOwner(
                  "SELECT message FROM audit_entry WHERE transaction_id IS NOT NULL AND tenant_id = '%s'"
                      .formatted(tenant)))
          .containsExactly("Token created");
    }
  }

  @Test
  @Tag("long")
  void eighthVersionNodeRejectsGraceKeysAndStillReplacesThem() throws SQLException {
    NewTenant tenant = Samples.tenant(Samples.tenantId());
    String owner = tenant.management().id().toString();
    try (JdbiStores started = database.stores()) {
      started.tenants().create(tenant, List.of(Samples.entry(tenant.id())));
      started
          .applications()
          .replaceKey(
              tenant.id(),
              tenant.management().id(),
              ExpectedVersion.ANY,
              Samples.hash(),
              new KeyGrace(Duration.ofDays(1)),
              Optional.empty(),
              Samples.entry(tenant.id()));
      String all = "SELECT count(*) FROM credential WHERE owner_id = '%s'".formatted(owner);
      assertThat(database.asOwner(all)).containsExactly("2");
      // The key lookup of that version.
      assertThat(database.asOwner(all + " AND kind = 'api'")).containsExactly("1");

      database.asRuntime("DELETE FROM credential WHERE owner_id = '%s'".formatted(owner));
      database.asRuntime(
          "INSERT INTO credential (key_hash, hash_version, kind, tenant_id, owner_id)"
              + " VALUES ('\\x01', 1, 'api', '%s', '%s')".formatted(tenant.id(), owner));

      assertThat(database.asOwner(all)).containsExactly("1");
    }
  }

  /** Checks that readers do not queue behind a migration that waits for its lock. */
  @Test
  @Tag("long")
  void waitingMigrationDoesNotBlockOthersAndCompletes() throws Exception {
    TestDatabase database = TestDatabase.empty();
    database.migrateLegacy("4");
    LockedTable sharedLock = LockedTable.shared(database, "proxy");
    CompletableFuture<Void> start = CompletableFuture.runAsync(() -> startAndWork(database));
    try (sharedLock) {
      awaitWaitingMigration(database);
      assertThat(database.asOwner("SET statement_timeout = '20s'; SELECT count(*) FROM proxy"))
          .isEmpty();
      assertThat(start).isNotDone();
    }
    start.get(60, TimeUnit.SECONDS);
  }

  private static void startAndWork(TestDatabase database) {
    try (JdbiStores started = database.stores()) {
      assertWorks(started);
    }
  }

  private static void awaitWaitingMigration(TestDatabase database) {
    String waiting =
        "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'proxy'::regclass"
            + " AND mode = 'AccessExclusiveLock'";
    Eventually.holds("a migration waits", () -> !database.asOwner(waiting).isEmpty());
  }

  @Test
  void removingMigrationNamesOldestToleratingVersion() throws IOException {
    Path migrations = Path.of("src/main/resources/io/tokenvault/adapters/jdbi/migration");
    try (Stream<Path> files = Files.list(migrations)) {
      for (Path file : files.toList()) {
        Matcher name = NAME.matcher(file.getFileName().toString());
        assertThat(name.matches()).as("the name of %s", file).isTrue();
        assertNamesNeededVersion(file, Integer.parseInt(name.group(1)), name.group(2));
      }
    }
  }

  private static void assertNamesNeededVersion(Path file, int version, String needed)
      throws IOException {
    if (needed != null) {
      assertThat(Integer.parseInt(needed)).as("%s", file).isLessThan(version);
    } else if (version >= FIRST_CHECKED_VERSION) {
      assertThat(Files.readString(file)).as("%s", file).doesNotContainPattern(REMOVES);
    }
  }
}
