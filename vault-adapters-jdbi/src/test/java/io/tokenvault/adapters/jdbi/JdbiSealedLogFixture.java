package io.tokenvault.adapters.jdbi;

import io.tokenvault.adapters.jdbi.DatabaseSettings.Limits;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.contract.SealedLogFixture;
import io.tokenvault.ports.spi.AuditRecorder;
import io.tokenvault.ports.spi.LogFeed;
import io.tokenvault.ports.spi.LogMonths;
import io.tokenvault.ports.spi.SealStore;
import java.time.Duration;
import java.time.Instant;

/** A sealed log in a database. */
final class JdbiSealedLogFixture implements SealedLogFixture {

  private static final Limits IMPATIENT =
      new Limits(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofMillis(250));

  private final TestDatabase database;
  private JdbiStores current;
  private JdbiStores another;

  private JdbiSealedLogFixture(TestDatabase database) {
    this.database = database;
    this.current = TestDatabase.stores(database.settings());
  }

  static JdbiSealedLogFixture on(TestDatabase database) {
    return new JdbiSealedLogFixture(database);
  }

  @Override
  public AuditRecorder recorder() {
    return current.recorder();
  }

  @Override
  public SealStore seals() {
    return current.seals();
  }

  @Override
  public SealStore sealsOfAnotherNode() {
    if (another == null) {
      another = TestDatabase.stores(database.settings());
    }
    return another.seals();
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
