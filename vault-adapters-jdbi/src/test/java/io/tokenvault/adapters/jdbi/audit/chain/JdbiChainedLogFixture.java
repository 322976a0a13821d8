package io.tokenvault.adapters.jdbi.audit.chain;

import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.PlantedSeals;
import io.tokenvault.adapters.jdbi.Relay;
import io.tokenvault.adapters.jdbi.TestDatabase;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Limits;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.audit.AuditRecorder;
import io.tokenvault.ports.audit.HashChainStore;
import io.tokenvault.ports.audit.LogFeed;
import io.tokenvault.ports.audit.LogMonths;
import io.tokenvault.ports.contract.SealedLogFixture;
import java.time.Duration;
import java.time.Instant;

/** A sealed log in a database. */
public final class JdbiChainedLogFixture implements SealedLogFixture {

  private static final Limits IMPATIENT =
      new Limits(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofMillis(250));

  private final TestDatabase database;
  private JdbiStores current;
  private JdbiStores another;

  private JdbiChainedLogFixture(TestDatabase database) {
    this.database = database;
    this.current = TestDatabase.stores(database.settings());
  }

  public static JdbiChainedLogFixture on(TestDatabase database) {
    return new JdbiChainedLogFixture(database);
  }

  @Override
  public AuditRecorder recorder() {
    return current.recorder();
  }

  @Override
  public HashChainStore seals() {
    return current.hashChains();
  }

  @Override
  public HashChainStore sealsOfAnotherNode() {
    if (another == null) {
      another = TestDatabase.stores(database.settings());
    }
    return another.hashChains();
  }

  @Override
  public LogFeed feed() {
    return current.logFeed();
  }

  @Override
  public LogMonths months() {
    return current.logMonths();
  }

  @Override
  public void plant(TenantId tenantId, Instant time, String message) {
    PlantedSeals.plant(database, tenantId, time.toString(), message);
    current.ensurePartitions();
  }

  /** Stores of their own, whose connections are cut once they are there. */
  @Override
  public void breakConnection() {
    current.close();
    try (Relay relay = Relay.to(database.port())) {
      DatabaseSettings settings =
          database.settings(database.urlThrough(relay.port()), IMPATIENT, 1);
      current = TestDatabase.patiently(() -> TestDatabase.stores(settings));
      TestDatabase.patiently(() -> current.tenants().list());
    }
  }

  @Override
  public void close() {
    current.close();
    if (another != null) {
      another.close();
    }
  }
}
