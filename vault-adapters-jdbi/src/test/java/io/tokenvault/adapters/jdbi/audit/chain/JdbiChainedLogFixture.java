package io.tokenvault.adapters.jdbi.audit.chain;

import io.tokenvault.adapters.jdbi.JdbiStoreFixture;
import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.TestDatabase;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.audit.HashChainStore;
import io.tokenvault.ports.audit.LogFeed;
import io.tokenvault.ports.audit.LogMonths;
import io.tokenvault.ports.contract.audit.ChainedLogFixture;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Provides the contract suites with a hash-chained log on PostgreSQL. */
public final class JdbiChainedLogFixture implements ChainedLogFixture {

  private static final Map<String, JdbiStores> NODES = new ConcurrentHashMap<>();

  private final TestDatabase database;
  private final boolean shared;
  private JdbiStores current;
  private boolean monthsOutdated;

  private JdbiChainedLogFixture(TestDatabase database, boolean shared) {
    this.shared = shared;
    this.database = database;
    this.current = node(0);
  }

  /** Returns one of the nodes that all tests on a database share. */
  private JdbiStores node(int number) {
    return NODES.computeIfAbsent(database.name() + " " + number, unused -> database.stores());
  }

  public static JdbiChainedLogFixture on(TestDatabase database) {
    return new JdbiChainedLogFixture(database, true);
  }

  public static JdbiChainedLogFixture onNewDatabase() {
    return new JdbiChainedLogFixture(TestDatabase.migrated(), false);
  }

  public TestDatabase database() {
    return database;
  }

  public JdbiStores stores() {
    return current;
  }

  @Override
  public AuditRecorder recorder() {
    return storesWithMonths().recorder();
  }

  @Override
  public HashChainStore hashChains() {
    return storesWithMonths().hashChains();
  }

  @Override
  public HashChainStore hashChainsOfAnotherNode() {
    return node(1).hashChains();
  }

  @Override
  public LogFeed feed() {
    return storesWithMonths().logFeed();
  }

  @Override
  public LogMonths months() {
    return storesWithMonths().logMonths();
  }

  @Override
  public void plant(TenantId tenantId, Instant time, String message) {
    database.insertEntry(tenantId, time.toString(), message);
    monthsOutdated = true;
  }

  private JdbiStores storesWithMonths() {
    if (monthsOutdated) {
      monthsOutdated = false;
      current.ensurePartitions();
    }
    return current;
  }

  @Override
  public void breakConnection() {
    monthsOutdated = false;
    // Months are dropped over the owner's connections, which closed stores still open.
    current =
        shared ? JdbiStoreFixture.unavailable(database) : JdbiStoreFixture.disconnected(database);
  }

  @Override
  public void close() {
    if (current != node(0)) {
      current.close();
    }
    if (!shared) {
      node(0).close();
    }
  }
}
