package io.tokenvault.adapters.jdbi;

import io.tokenvault.adapters.jdbi.stores.DatabaseSettings;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Limits;
import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.contract.Stores;
import java.time.Duration;

/** The stores on a real PostgreSQL, emptied for every test. */
public final class JdbiStoreFixture implements StoreFixture {

  private static final TestDatabase DATABASE = TestDatabase.migrated();
  private static final JdbiStores SHARED = TestDatabase.stores(DATABASE.settings());
  private static final Limits IMPATIENT =
      new Limits(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofMillis(250));

  private JdbiStores current = SHARED;

  private JdbiStoreFixture() {}

  public static JdbiStoreFixture open() {
    DATABASE.asOwner(
        "TRUNCATE tenant, tenant_key, credential, application, proxy, token, key_proof,"
            + " node_keyset, container_binding, keyed_request");
    return new JdbiStoreFixture();
  }

  /** Stores of their own, whose connections are cut once they are there. */
  @Override
  public void breakConnection() {
    try (Relay relay = Relay.to(DATABASE.port())) {
      DatabaseSettings settings =
          DATABASE.settings(DATABASE.urlThrough(relay.port()), IMPATIENT, 1);
      current = TestDatabase.patiently(() -> TestDatabase.stores(settings));
      TestDatabase.patiently(() -> current.tenants().list());
    }
  }

  @Override
  public void refuseEntries() {
    DATABASE.asOwner("REVOKE INSERT ON audit_entry FROM vault_runtime");
  }

  @Override
  public void close() {
    DATABASE.asOwner("GRANT INSERT ON audit_entry TO vault_runtime");
    if (current != SHARED) {
      current.close();
    }
  }

  @Override
  public Stores stores() {
    return new StoresOf(() -> current);
  }
}
