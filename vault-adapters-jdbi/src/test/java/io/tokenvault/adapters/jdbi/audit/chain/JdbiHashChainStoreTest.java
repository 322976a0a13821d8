package io.tokenvault.adapters.jdbi.audit.chain;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.StatementObserver;
import io.tokenvault.adapters.jdbi.TamperableLog;
import io.tokenvault.adapters.jdbi.TamperableLog.Findings;
import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.DatabaseConnections;
import io.tokenvault.adapters.jdbi.sql.EntryRows;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Limits;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.HashChainStore;
import io.tokenvault.ports.audit.LogFeed;
import io.tokenvault.ports.contract.Race;
import io.tokenvault.ports.contract.Samples;
import io.tokenvault.ports.store.Preconditions;
import io.tokenvault.ports.usecase.audit.ExtendHashChains;
import io.tokenvault.ports.usecase.audit.LogFinding.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that every entry is chained exactly once, despite concurrency, failures and restores. */
final class JdbiHashChainStoreTest {

  @AutoClose private static final TamperableLog SHARED = new TamperableLog();

  private final TenantId tenant = Samples.tenantId();
  private TamperableLog log = SHARED;

  /** Opens another database, for tests that change more than their own tenant. */
  private void useSeparateDatabase() {
    log = new TamperableLog();
  }

  @AfterEach
  void chainRemainingEntriesOrClose() {
    if (log != SHARED) {
      log.close();
    } else if (log.chainExtender.run() > 0) {
      assertThat(log.chainExtender.run()).isZero();
    }
  }

  private void assertChainedOnce(int count) {
    Findings findings = log.verify(tenant);
    assertThat(findings.all()).isEmpty();
    assertThat(findings.report().entries()).isEqualTo(count);
    assertThat(findings.report().unchained()).isZero();
    assertThat(
            log.query(
                tenant,
                "SELECT count(*) || ' ' || count(DISTINCT sequence) FROM (SELECT unnest(sequences)"
                    + " AS sequence FROM audit_seal WHERE tenant_id = '%s') AS named"))
        .containsExactly(count + " " + count);
  }

  @Test
  void entryCommittedAfterLaterEntriesIsChainedNext() throws Exception {
    try (Handle late = log.openTransaction()) {
      EntryRows.add(late, TamperableLog.entry(tenant, "written early"));
      log.record(tenant, "first");
      assertThat(log.chainExtender.run()).isEqualTo(1);
      assertThat(log.chainExtender.run()).isZero();
      late.commit();
      assertThat(log.chainExtender.run()).isEqualTo(1);
    }
    assertThat(log.chainExtender.run()).isZero();
    assertChainedOnce(2);
  }

  @Test
  void rolledBackEntryLeavesNothing() throws Exception {
    try (Handle late = log.openTransaction()) {
      EntryRows.add(late, TamperableLog.entry(tenant, "never"));
      log.record(tenant, "first");
      assertThat(log.chainExtender.run()).isEqualTo(1);
      late.rollback();
    }
    assertThat(log.chainExtender.run()).isZero();
    assertChainedOnce(1);
  }

  @Test
  void oversizedRoundResumesAndChainsLaterCommitsAfterIt() throws Exception {
    try (Handle late = log.openTransaction()) {
      EntryRows.add(late, TamperableLog.entry(tenant, "late"));
      log.recordMany(tenant, 7);
      log.recordMany(tenant, 4);
      assertThat(round(5)).hasValue(5);
      log.record(tenant, "new");
      late.commit();
      assertThat(round(5)).hasValue(5);
      assertThat(round(5)).hasValue(1);
      assertThat(round(5)).hasValue(2);
      assertThat(round(5)).hasValue(0);
    }
    assertChainedOnce(13);
  }

  @Test
  void exactlyFittingRoundIsFollowedByEmptyOne() {
    log.recordMany(tenant, 5);
    assertThat(round(5)).hasValue(5);
    assertThat(round(5)).hasValue(0);
    log.record(tenant, "new");
    assertThat(round(5)).hasValue(1);
    assertChainedOnce(6);
  }

  private OptionalInt round(int limit) {
    return round(log.stores, limit);
  }

  private static OptionalInt round(JdbiStores node, int limit) {
    return round(node.hashChains(), limit, () -> {});
  }

  /**
   * @param beforeLinking runs after entries are read and before links are written
   */
  private static OptionalInt round(HashChainStore store, int limit, Runnable beforeLinking) {
    return store.extend(
        limit,
        (entries, ends) -> {
          beforeLinking.run();
          return ExtendHashChains.chainLinks(TamperableLog.KEYS, entries, ends);
        });
  }

  @Test
  void manyNodesAndWritersChainEverythingOnce() {
    Callable<Object> writer = Executors.callable(this::write);
    Callable<Object> node = Executors.callable(this::chainRepeatedly);
    Race.run(List.of(writer, writer, writer, node, node, node));
    log.chainExtender.run();
    assertChainedOnce(150);
  }

  private void write() {
    for (int i = 0; i < 50; i++) {
      log.record(tenant, "entry " + i);
    }
  }

  private void chainRepeatedly() {
    try (JdbiStores node = log.database.stores()) {
      for (int i = 0; i < 40; i++) {
        var unused = round(node, 10_000);
      }
    }
  }

  @Tag("long")
  @Test
  void moreEntriesThanBufferHoldsAreChainedOnce() {
    for (int i = 0; i < 5; i++) {
      log.recordMany(tenant, 8_000);
    }
    assertThat(log.chainExtender.run()).isEqualTo(40_000);
    assertChainedOnce(40_000);
  }

  @Test
  void entriesOfOtherNodesAreChainedWithOwnOnes() {
    try (JdbiStores node = log.database.stores()) {
      log.record(tenant, "own");
      node.recorder()
          .record(List.of(TamperableLog.entry(tenant, "other")), Preconditions.none(tenant));
      log.record(tenant, "own");
      assertThat(round(10)).hasValue(3);
    }
    assertChainedOnce(3);
  }

  @Test
  void chainCoversWrittenContentDespiteChangedRow() {
    log.record(tenant, "as written");
    String change = "UPDATE audit_entry SET message = '%s' WHERE tenant_id = '" + tenant + "'";
    log.database.asOwner(change.formatted("as changed"));
    log.chainExtender.run();
    assertThat(log.verify(tenant).kinds()).containsExactly(Kind.ENTRY_CHANGED);
    log.database.asOwner(change.formatted("as written"));
    assertChainedOnce(1);
  }

  @Test
  void entryWithIdOfAnotherTenantsEntryIsChainedForItsOwnTenant() {
    log.record(tenant, "of this process");
    TenantId other = Samples.tenantId();
    log.tamper(
        other,
        """
        INSERT INTO audit_entry (tenant_id, entity_type, entity_id, operation, message, entry_id,
          mac, mac_key)
        SELECT '%s', entity_type, entity_id, operation, message, entry_id, mac, mac_key
        FROM audit_entry WHERE tenant_id = '\
        """
            + tenant
            + "'");
    assertThat(round(10)).hasValue(2);
    assertThat(log.verify(other).report().entries()).isEqualTo(1);
    assertThat(log.verify(other).report().unchained()).isZero();
    assertThat(log.verify(tenant).report().unchained()).isZero();
  }

  @Test
  void entriesOfOlderVersionsAreChainedFirstWithoutFinding() {
    useSeparateDatabase();
    log.database.asOwner(
        """
        INSERT INTO audit_entry (tenant_id, entity_type, entity_id, operation, message,
          transaction_id)
        SELECT '%s', 'token', 'x', 'read', 'old ' || i, NULL FROM generate_series(1, 7) AS i
        """
            .formatted(tenant));
    log.record(tenant, "new");
    assertThat(log.verify(tenant).all()).isEmpty();
    assertThat(log.verify(tenant).report().unchained()).isEqualTo(8);
    assertThat(round(5)).hasValue(5);
    assertThat(log.verify(tenant).report().unchained()).isEqualTo(3);
    assertThat(round(5)).hasValue(2);
    assertThat(round(5)).hasValue(1);
    assertChainedOnce(8);
    assertThat(log.verify(tenant).report().withoutMac()).isEqualTo(7);
  }

  /** Simulates a restored dump, where other transactions have the ids in the stored snapshot. */
  @Test
  void restoredClusterRetainsChainAndChainsOtherEntriesOnce() {
    useSeparateDatabase();
    log.record(tenant, "chained");
    log.chainExtender.run();
    log.record(tenant, "not chained when it was dumped");
    log.database.asOwner(
        """
        UPDATE audit_sealer SET cluster = cluster - 1, sealed_snapshot = '9000000:9000000:'
        """);
    log.database.asOwner(
        "UPDATE audit_entry SET transaction_id = (8999990 + sequence)::text::xid8");
    log.record(tenant, "written after it was restored");
    assertThat(log.verify(tenant).all()).isEmpty();
    assertThat(log.verify(tenant).report().unchained()).isEqualTo(2);

    assertThat(round(10)).hasValue(2);
    log.record(tenant, "written later");
    assertThat(round(10)).hasValue(1);
    assertThat(round(10)).hasValue(0);
    assertChainedOnce(4);
  }

  @Test
  void writersContinueWhileRestoredEntriesAreChained() {
    useSeparateDatabase();
    log.record(tenant, "restored");
    log.database.asOwner("UPDATE audit_sealer SET cluster = cluster - 1");
    Runnable write = () -> log.record(tenant, "concurrent");
    assertThat(round(log.stores.hashChains(), 10, write)).hasValue(1);
    assertThat(round(10)).hasValue(1);
    assertChainedOnce(2);
  }

  @Test
  void searchForRestoredEntriesMayExceedRequestTimeout() throws Exception {
    assertSearchMayExceedTimeout("restored_since = '-infinity', floor_sequence = 1000");
  }

  @Test
  @Tag("long")
  void searchForOlderEntriesMayExceedRequestTimeout() throws Exception {
    assertSearchMayExceedTimeout(
        "oldest_tenant = '00000000-0000-0000-0000-000000000000', oldest_time = '-infinity',"
            + " oldest_sequence = 0");
  }

  private void assertSearchMayExceedTimeout(String pendingState) throws Exception {
    useSeparateDatabase();
    log.record(tenant, "there before");
    log.database.asOwner("UPDATE audit_sealer SET " + pendingState);
    Limits limits = new Limits(Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofSeconds(5));
    try (JdbiStores node = log.database.stores(limits, 4);
        Handle slow = log.openTransaction()) {
      slow.execute("LOCK TABLE audit_entry");
      CompletableFuture<OptionalInt> round = CompletableFuture.supplyAsync(() -> round(node, 10));
      slow.execute("SELECT pg_sleep(1.2)");
      slow.commit();
      assertThat(round.join()).hasValue(1);
    }
    assertChainedOnce(1);
  }

  /** Checks that an open transaction does not make rounds reread all entries since its start. */
  @Test
  void roundReadsOnlyNewEntriesDespiteOldTransaction() throws Exception {
    useSeparateDatabase();
    AtomicReference<String> search = new AtomicReference<>("");
    try (Handle open = log.openTransaction()) {
      EntryRows.add(open, TamperableLog.entry(tenant, "late"));
      for (int i = 0; i < 20; i++) {
        log.recordMany(tenant, 200);
      }
      assertThat(log.chainExtender.run()).isEqualTo(4000);
      log.database.asOwner("ANALYZE audit_entry");
      log.record(tenant, "new");
      assertThat(observedRound(search)).hasValue(1);
      open.commit();
    }
    List<String> plan = log.database.asOwner("EXPLAIN (ANALYZE) " + search.get());
    assertThat(plan)
        .filteredOn(line -> line.contains("Index Scan using audit_entry_"))
        .hasSizeGreaterThanOrEqualTo(2);
    assertThat(plan).noneMatch(line -> line.matches(".*Removed by Filter: \\d{3,}"));
    assertThat(round(10)).hasValue(1);
    assertChainedOnce(4002);
  }

  /** Checks that the time for a backlog is proportional to its size. */
  @Test
  void partOfRoundReadsOnlyItsOwnEntriesOfBacklog() {
    useSeparateDatabase();
    AtomicReference<String> search = new AtomicReference<>("");
    for (int i = 0; i < 20; i++) {
      log.recordMany(tenant, 200);
    }
    assertThat(observedRound(search)).hasValue(10);
    List<String> plan = log.database.asOwner("EXPLAIN (ANALYZE) " + search.get());
    assertThat(plan)
        .anyMatch(line -> line.matches(".* on audit_entry_2.* rows=2\\d\\d\\b.*loops=1.*"));
    assertThat(plan).noneMatch(line -> line.matches(".*\\(actual .* rows=\\d{4,}\\b.*"));
  }

  private OptionalInt observedRound(AtomicReference<String> search) {
    Database database =
        new Database(new DatabaseConnections(log.database.settings()).forMigrations());
    database.observe(
        new StatementObserver(
            context -> {
              String statement = String.valueOf(context.getStatement());
              if (statement.contains("audit_entry")) {
                search.set(statement.substring(statement.indexOf("SELECT")));
              }
            }));
    return round(
        new JdbiHashChainStore(database, Optional.empty(), new JdbiHashChainStore.SkippedEntries()),
        10,
        () -> {});
  }

  @Test
  void restartedTransactionIdsAreTreatedAsAnotherCluster() {
    useSeparateDatabase();
    log.record(tenant, "chained");
    log.chainExtender.run();
    log.database.asOwner("UPDATE audit_sealer SET sealed_snapshot = '9000000:9000000:'");
    log.record(tenant, "new");
    assertThat(round(10)).hasValue(1);
    assertThat(round(10)).hasValue(0);
    assertChainedOnce(2);
  }

  @Test
  void entriesOfTwoMonthsAreInTwoChainLinks() {
    log.database.asOwner(
        """
        INSERT INTO audit_entry (tenant_id, created_at, entity_type, entity_id, operation, message)
        SELECT '%s', time, 'token', 'x', 'read', 'm'
        FROM unnest(ARRAY['2026-01-31 23:59:59.999999Z', '2026-02-01 00:00Z']::timestamptz[]) AS time
        """
            .formatted(tenant));
    log.chainExtender.run();
    assertThat(log.verify(tenant).report().chainLinks()).isEqualTo(2);
    // A node that starts later would move them to their months, which requires dropped triggers.
    log.tamper(tenant, "DELETE FROM audit_entry WHERE tenant_id = '%s'");
  }

  /** Chains an entry with a wrong time between others. */
  @Test
  void wrongClockEntryAndLaterOnesAreExportedSinceItsTime() {
    useSeparateDatabase();
    log.record(tenant, "before");
    log.chainExtender.run();
    log.database.insertEntry(tenant, "2100-01-01T00:00:00Z", "by a wrong clock");
    log.chainExtender.run();
    log.record(tenant, "after");
    log.chainExtender.run();
    assertThat(exportedSince("2099-12-31T00:00:00Z")).containsExactly("by a wrong clock", "after");
    assertThat(log.query(tenant, "SELECT sealed_at FROM audit_seal ORDER BY position")).isSorted();
    assertThat(log.verify(tenant).kinds()).doesNotContain(Kind.SEAL_BROKEN);
  }

  /** Returns the first messages of an export that starts at a time. */
  private List<String> exportedSince(String time) {
    LogFeed feed = log.stores.logFeed();
    return feed
        .read(LogFeed.Selection.all(), feed.before(Instant.parse(time)), feed.end(), 10)
        .entries()
        .stream()
        .map(fed -> fed.entry().content().message())
        .toList();
  }
}
