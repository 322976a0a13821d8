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
  private boolean planted;

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

  public static JdbiChainedLogFixture ofItsOwn() {
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
    return withMonths().recorder();
  }

  @Override
  public HashChainStore hashChains() {
    return withMonths().hashChains();
  }

  @Override
  public HashChainStore hashChainsOfAnotherNode() {
    return node(1).hashChains();
  }

  @Override
  public LogFeed feed() {
    return withMonths().logFeed();
  }

  @Override
  public LogMonths months() {
    return withMonths().logMonths();
  }

  @Override
  public void plant(TenantId tenantId, Instant time, String message) {
    database.plantEntry(tenantId, time.toString(), message);
    planted = true;
  }

  private JdbiStores withMonths() {
    if (planted) {
      planted = false;
      current.ensurePartitions();
    }
    return current;
  }

  @Override
  public void breakConnection() {
    planted = false;
    // Months are dropped over the owner's connections, which closed stores still open.
    current = shared ? JdbiStoreFixture.broken(database) : JdbiStoreFixture.cut(database);
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
