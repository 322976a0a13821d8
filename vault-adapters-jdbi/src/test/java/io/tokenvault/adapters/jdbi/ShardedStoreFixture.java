package io.tokenvault.adapters.jdbi;

import io.tokenvault.adapters.jdbi.DatabaseSettings.Limits;
import io.tokenvault.adapters.jdbi.shards.ShardedStores;
import io.tokenvault.ports.contract.StoreFixture;
import io.tokenvault.ports.contract.Stores;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** The stores over two databases, emptied for every test; each second tenant is in the second. */
final class ShardedStoreFixture implements StoreFixture {

  static final String EMPTIED =
      "TRUNCATE tenant, tenant_key, credential, application, proxy, token, key_proof, node_keyset,"
          + " container_binding, keyed_request";
  private static final Limits IMPATIENT =
      new Limits(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofMillis(250));

  private final List<TestDatabase> databases;
  private ShardedStores current;

  private ShardedStoreFixture(List<TestDatabase> databases) {
    this.databases = databases;
    databases.forEach(each -> each.asOwner(EMPTIED));
    current = Shared.STORES;
  }

  static ShardedStoreFixture open() {
    return new ShardedStoreFixture(Shared.DATABASES);
  }

  /** Over databases of whoever asks; whatever it opens is his to close. */
  static ShardedStores over(List<TestDatabase> databases) {
    return ShardedStores.open(
        databases.stream().map(each -> opening(each.settings())).toList(), admitted -> {});
  }

  static Supplier<JdbiStores> opening(DatabaseSettings settings) {
    return () -> TestDatabase.patiently(() -> TestDatabase.stores(settings));
  }

  /** Stores of their own, whose connections are cut once they are there. */
  @Override
  public void breakConnection() {
    try (Relay first = Relay.to(databases.get(0).port());
        Relay second = Relay.to(databases.get(1).port())) {
      current =
          ShardedStores.open(
              List.of(
                  opening(impatient(databases.get(0), first.port())),
                  opening(impatient(databases.get(1), second.port()))),
              admitted -> {});
      TestDatabase.patiently(() -> current.tenants().list());
    }
  }

  private static DatabaseSettings impatient(TestDatabase database, int port) {
    return database.settings(database.urlThrough(port), IMPATIENT, 1);
  }

  @Override
  public void refuseEntries() {
    databases.forEach(each -> each.asOwner("REVOKE INSERT ON audit_entry FROM vault_runtime"));
  }

  @Override
  public void close() {
    databases.forEach(each -> each.asOwner("GRANT INSERT ON audit_entry TO vault_runtime"));
    if (current != Shared.STORES) {
      current.close();
    }
  }

  @Override
  public Stores stores() {
    return new StoresOf(() -> current);
  }

  /** In each of the databases. */
  static List<Long> countTenants() {
    return Shared.DATABASES.stream()
        .map(each -> Long.valueOf(each.asOwner("SELECT count(*) FROM tenant").get(0)))
        .toList();
  }

  /** Made when the first suite asks for them. */
  private static final class Shared {
    static final List<TestDatabase> DATABASES = List.of(TestDatabase.empty(), TestDatabase.empty());
    static final ShardedStores STORES = over(DATABASES);
  }
}
