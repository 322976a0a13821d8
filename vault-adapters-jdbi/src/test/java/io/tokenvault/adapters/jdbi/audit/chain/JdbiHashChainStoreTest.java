package io.tokenvault.adapters.jdbi.audit.chain;

import static org.assertj.core.api.Assertions.assertThat;

import io.tokenvault.adapters.jdbi.ChainedTenants;
import io.tokenvault.adapters.jdbi.ChainedTenants.Findings;
import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.Statements;
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

  @AutoClose private static final ChainedTenants SHARED = new ChainedTenants();

  private final TenantId tenant = Samples.tenantId();
  private ChainedTenants tenants = SHARED;

  /** Opens another database, for tests that change more than their own tenant. */
  private void openDatabase() {
    tenants = new ChainedTenants();
  }

  @AfterEach
  void sealTheRestOrClose() {
    if (tenants != SHARED) {
      tenants.close();
    } else if (tenants.sealing.run() > 0) {
      assertThat(tenants.sealing.run()).isZero();
    }
  }

  private void assertChainedOnce(int count) {
    Findings findings = tenants.verify(tenant);
    assertThat(findings.all()).isEmpty();
    assertThat(findings.report().entries()).isEqualTo(count);
    assertThat(findings.report().unchained()).isZero();
    assertThat(
            tenants.ask(
                tenant,
                "SELECT count(*) || ' ' || count(DISTINCT sequence) FROM (SELECT unnest(sequences)"
                    + " AS sequence FROM audit_seal WHERE tenant_id = '%s') AS named"))
        .containsExactly(count + " " + count);
  }

  @Test
  void entryCommittedAfterLaterOnesWereChainedIsChainedNext() throws Exception {
    try (Handle late = tenants.openTransaction()) {
      EntryRows.add(late, ChainedTenants.entry(tenant, "written early"));
      tenants.record(tenant, "first");
      assertThat(tenants.sealing.run()).isEqualTo(1);
      assertThat(tenants.sealing.run()).isZero();
      late.commit();
      assertThat(tenants.sealing.run()).isEqualTo(1);
    }
    assertThat(tenants.sealing.run()).isZero();
    assertChainedOnce(2);
  }

  @Test
  void rolledBackEntryLeavesNothing() throws Exception {
    try (Handle late = tenants.openTransaction()) {
      EntryRows.add(late, ChainedTenants.entry(tenant, "never"));
      tenants.record(tenant, "first");
      assertThat(tenants.sealing.run()).isEqualTo(1);
      late.rollback();
    }
    assertThat(tenants.sealing.run()).isZero();
    assertChainedOnce(1);
  }

  @Test
  void oversizedRoundResumesAndChainsLaterCommitsAfterIt() throws Exception {
    try (Handle late = tenants.openTransaction()) {
      EntryRows.add(late, ChainedTenants.entry(tenant, "late"));
      tenants.recordMany(tenant, 7);
      tenants.recordMany(tenant, 4);
      assertThat(round(5)).hasValue(5);
      tenants.record(tenant, "new");
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
    tenants.recordMany(tenant, 5);
    assertThat(round(5)).hasValue(5);
    assertThat(round(5)).hasValue(0);
    tenants.record(tenant, "new");
    assertThat(round(5)).hasValue(1);
    assertChainedOnce(6);
  }

  private OptionalInt round(int limit) {
    return round(tenants.stores, limit);
  }

  private static OptionalInt round(JdbiStores node, int limit) {
    return round(node.hashChains(), limit, () -> {});
  }

  /**
   * @param meanwhile runs after entries are read and before links are written
   */
  private static OptionalInt round(HashChainStore store, int limit, Runnable meanwhile) {
    return store.extend(
        limit,
        (entries, ends) -> {
          meanwhile.run();
          return ExtendHashChains.chainLinks(ChainedTenants.KEYS, entries, ends);
        });
  }

  @Test
  void manyNodesAndWritersChainEverythingOnce() {
    Callable<Object> writer = Executors.callable(this::write);
    Callable<Object> node = Executors.callable(this::chainOften);
    Race.run(List.of(writer, writer, writer, node, node, node));
    tenants.sealing.run();
    assertChainedOnce(150);
  }

  private void write() {
    for (int i = 0; i < 50; i++) {
      tenants.record(tenant, "entry " + i);
    }
  }

  private void chainOften() {
    try (JdbiStores node = tenants.database.stores()) {
      for (int i = 0; i < 40; i++) {
        var unused = round(node, 10_000);
      }
    }
  }

  @Test
  void moreEntriesThanAreKeptInMemoryAreChainedOnce() {
    for (int i = 0; i < 5; i++) {
      tenants.recordMany(tenant, 8_000);
    }
    assertThat(tenants.sealing.run()).isEqualTo(40_000);
    assertChainedOnce(40_000);
  }

  @Test
  void entriesOfOtherNodesAreChainedWithOwnOnes() {
    try (JdbiStores node = tenants.database.stores()) {
      tenants.record(tenant, "own");
      node.recorder()
          .record(List.of(ChainedTenants.entry(tenant, "other")), Preconditions.none(tenant));
      tenants.record(tenant, "own");
      assertThat(round(10)).hasValue(3);
    }
    assertChainedOnce(3);
  }

  @Test
  void chainHasContentAsWrittenThoughRowWasChangedBefore() {
    tenants.record(tenant, "as written");
    String change = "UPDATE audit_entry SET message = '%s' WHERE tenant_id = '" + tenant + "'";
    tenants.database.asOwner(change.formatted("as changed"));
    tenants.sealing.run();
    assertThat(tenants.verify(tenant).kinds()).containsExactly(Kind.ENTRY_CHANGED);
    tenants.database.asOwner(change.formatted("as written"));
    assertChainedOnce(1);
  }

  @Test
  void entryWithIdOfAnotherTenantsEntryIsChainedForItsOwnTenant() {
    tenants.record(tenant, "of this process");
    TenantId other = Samples.tenantId();
    tenants.tamper(
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
    assertThat(tenants.verify(other).report().entries()).isEqualTo(1);
    assertThat(tenants.verify(other).report().unchained()).isZero();
    assertThat(tenants.verify(tenant).report().unchained()).isZero();
  }

  @Test
  void entriesOfOlderVersionsAreChainedFirstWithoutFinding() {
    openDatabase();
    tenants.database.asOwner(
        """
        INSERT INTO audit_entry (tenant_id, entity_type, entity_id, operation, message,
          transaction_id)
        SELECT '%s', 'token', 'x', 'read', 'old ' || i, NULL FROM generate_series(1, 7) AS i
        """
            .formatted(tenant));
    tenants.record(tenant, "new");
    assertThat(tenants.verify(tenant).all()).isEmpty();
    assertThat(tenants.verify(tenant).report().unchained()).isEqualTo(8);
    assertThat(round(5)).hasValue(5);
    assertThat(tenants.verify(tenant).report().unchained()).isEqualTo(3);
    assertThat(round(5)).hasValue(2);
    assertThat(round(5)).hasValue(1);
    assertChainedOnce(8);
    assertThat(tenants.verify(tenant).report().withoutMac()).isEqualTo(7);
  }

  /** Simulates a restored dump, where other transactions have the ids in the stored snapshot. */
  @Test
  void restoredClusterRetainsChainAndChainsAllElseOnce() {
    openDatabase();
    tenants.record(tenant, "sealed");
    tenants.sealing.run();
    tenants.record(tenant, "not sealed when it was dumped");
    tenants.database.asOwner(
        """
        UPDATE audit_sealer SET cluster = cluster - 1, sealed_snapshot = '9000000:9000000:'
        """);
    tenants.database.asOwner(
        "UPDATE audit_entry SET transaction_id = (8999990 + sequence)::text::xid8");
    tenants.record(tenant, "written after it was restored");
    assertThat(tenants.verify(tenant).all()).isEmpty();
    assertThat(tenants.verify(tenant).report().unchained()).isEqualTo(2);

    assertThat(round(10)).hasValue(2);
    tenants.record(tenant, "written later");
    assertThat(round(10)).hasValue(1);
    assertThat(round(10)).hasValue(0);
    assertChainedOnce(4);
  }

  @Test
  void inAnotherClusterWritersGoOnWhileWhatWasRestoredIsChained() {
    openDatabase();
    tenants.record(tenant, "restored");
    tenants.database.asOwner("UPDATE audit_sealer SET cluster = cluster - 1");
    Runnable meanwhile = () -> tenants.record(tenant, "meanwhile");
    assertThat(round(tenants.stores.hashChains(), 10, meanwhile)).hasValue(1);
    assertThat(round(10)).hasValue(1);
    assertChainedOnce(2);
  }

  @Test
  void searchForRestoredEntriesMayExceedRequestTimeout() throws Exception {
    assertMayTakeLong("restored_since = '-infinity', floor_sequence = 1000");
  }

  @Test
  @Tag("long")
  void searchForOlderEntriesMayExceedRequestTimeout() throws Exception {
    assertMayTakeLong(
        "oldest_tenant = '00000000-0000-0000-0000-000000000000', oldest_time = '-infinity',"
            + " oldest_sequence = 0");
  }

  private void assertMayTakeLong(String wait) throws Exception {
    openDatabase();
    tenants.record(tenant, "there before");
    tenants.database.asOwner("UPDATE audit_sealer SET " + wait);
    Limits limits = new Limits(Duration.ofSeconds(5), Duration.ofSeconds(1), Duration.ofSeconds(5));
    try (JdbiStores node = tenants.database.stores(limits, 4);
        Handle slow = tenants.openTransaction()) {
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
    openDatabase();
    AtomicReference<String> search = new AtomicReference<>("");
    try (Handle open = tenants.openTransaction()) {
      EntryRows.add(open, ChainedTenants.entry(tenant, "late"));
      for (int i = 0; i < 20; i++) {
        tenants.recordMany(tenant, 200);
      }
      assertThat(tenants.sealing.run()).isEqualTo(4000);
      tenants.database.asOwner("ANALYZE audit_entry");
      tenants.record(tenant, "new");
      assertThat(observedRound(search)).hasValue(1);
      open.commit();
    }
    List<String> plan = tenants.database.asOwner("EXPLAIN (ANALYZE) " + search.get());
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
    openDatabase();
    AtomicReference<String> search = new AtomicReference<>("");
    for (int i = 0; i < 20; i++) {
      tenants.recordMany(tenant, 200);
    }
    assertThat(observedRound(search)).hasValue(10);
    List<String> plan = tenants.database.asOwner("EXPLAIN (ANALYZE) " + search.get());
    assertThat(plan)
        .anyMatch(line -> line.matches(".* on audit_entry_2.* rows=2\\d\\d\\b.*loops=1.*"));
    assertThat(plan).noneMatch(line -> line.matches(".*\\(actual .* rows=\\d{4,}\\b.*"));
  }

  private OptionalInt observedRound(AtomicReference<String> search) {
    Database database =
        new Database(new DatabaseConnections(tenants.database.settings()).forMigrations());
    database.observe(
        new Statements(
            context -> {
              String told = String.valueOf(context.getStatement());
              if (told.contains("audit_entry")) {
                search.set(told.substring(told.indexOf("SELECT")));
              }
            }));
    return round(
        new JdbiHashChainStore(database, Optional.empty(), new JdbiHashChainStore.SkippedEntries()),
        10,
        () -> {});
  }

  @Test
  void transactionsThatAreCountedFromTheBeginningAgainAreAnotherCluster() {
    openDatabase();
    tenants.record(tenant, "sealed");
    tenants.sealing.run();
    tenants.database.asOwner("UPDATE audit_sealer SET sealed_snapshot = '9000000:9000000:'");
    tenants.record(tenant, "new");
    assertThat(round(10)).hasValue(1);
    assertThat(round(10)).hasValue(0);
    assertChainedOnce(2);
  }

  @Test
  void entriesOfTwoMonthsAreUnderTwoChainLinks() {
    tenants.database.asOwner(
        """
        INSERT INTO audit_entry (tenant_id, created_at, entity_type, entity_id, operation, message)
        SELECT '%s', time, 'token', 'x', 'read', 'm'
        FROM unnest(ARRAY['2026-01-31 23:59:59.999999Z', '2026-02-01 00:00Z']::timestamptz[]) AS time
        """
            .formatted(tenant));
    tenants.sealing.run();
    assertThat(tenants.verify(tenant).report().chainLinks()).isEqualTo(2);
    // A node that starts later would move them to their months, which requires the dropped
    // triggers.
    tenants.ask(tenant, "DELETE FROM audit_entry WHERE tenant_id = '%s'");
  }

  /** Chains an entry with a wrong time between others. */
  @Test
  void wrongClockEntryAndLaterOnesAreFoundByItsTime() {
    openDatabase();
    tenants.record(tenant, "before");
    tenants.sealing.run();
    tenants.database.plantEntry(tenant, "2100-01-01T00:00:00Z", "by a wrong clock");
    tenants.sealing.run();
    tenants.record(tenant, "after");
    tenants.sealing.run();
    assertThat(since("2099-12-31T00:00:00Z")).containsExactly("by a wrong clock", "after");
    assertThat(tenants.ask(tenant, "SELECT sealed_at FROM audit_seal ORDER BY position"))
        .isSorted();
    assertThat(tenants.verify(tenant).kinds()).doesNotContain(Kind.SEAL_BROKEN);
  }

  /** Returns the first messages of an export that starts at a time. */
  private List<String> since(String time) {
    LogFeed feed = tenants.stores.logFeed();
    return feed
        .read(LogFeed.Selection.all(), feed.before(Instant.parse(time)), feed.end(), 10)
        .entries()
        .stream()
        .map(fed -> fed.entry().content().message())
        .toList();
  }
}
