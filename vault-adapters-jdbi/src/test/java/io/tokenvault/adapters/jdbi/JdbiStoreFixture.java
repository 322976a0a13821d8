package io.tokenvault.adapters.jdbi;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Limits;
import io.tokenvault.ports.VaultStores;
import io.tokenvault.ports.contract.StoreFixture;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Provides the contract suites with stores on PostgreSQL; tables are emptied for each test. */
public final class JdbiStoreFixture implements StoreFixture {

  private static final TestDatabase DATABASE = TestDatabase.migrated();
  private static final JdbiStores SHARED = DATABASE.stores();
  private static final Limits SHORT_LIMITS =
      new Limits(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofMillis(250));

  /** Empties referencing tables first; for a few rows this is much faster than TRUNCATE. */
  private static final String DELETE_ROWS =
      Stream.of(
              ("compiled_module keyed_request container_binding credential proxy token"
                      + " application tenant_key key_proof node_keyset tenant")
                  .split(" "))
          .map("DELETE FROM %s;"::formatted)
          .collect(Collectors.joining());

  private static final Map<String, JdbiStores> CLOSED_STORES = new ConcurrentHashMap<>();
  private static final boolean FULL_RUN = "full".equals(System.getProperty("vault.test.size"));

  /** The ports that batch the writes of concurrent calls. */
  private static final Set<String> BATCHING = Set.of("recorder", "tokens");

  private JdbiStores current = SHARED;
  private JdbiStores batching = SHARED;
  private boolean insertRevoked;

  private JdbiStoreFixture() {}

  public static JdbiStoreFixture open() {
    DATABASE.asOwner(DELETE_ROWS);
    return new JdbiStoreFixture();
  }

  @Override
  public void breakConnection() {
    current = unavailable(DATABASE);
    batching = FULL_RUN ? current : Disconnected.STORES;
  }

  /** Returns closed stores, so that no call waits for a connection. */
  private static JdbiStores closed(TestDatabase database) {
    return CLOSED_STORES.computeIfAbsent(
        database.name(),
        unused -> {
          JdbiStores stores = database.stores(SHORT_LIMITS, 1);
          stores.close();
          return stores;
        });
  }

  /** Returns closed stores, or disconnected ones in a full test run. */
  public static JdbiStores unavailable(TestDatabase database) {
    return FULL_RUN ? disconnected(database) : closed(database);
  }

  /** Returns stores whose open connections were cut. */
  public static JdbiStores disconnected(TestDatabase database) {
    try (TcpRelay relay = TcpRelay.to(database.port())) {
      JdbiStores stores =
          TestDatabase.awaitConnected(() -> database.storesThrough(relay, SHORT_LIMITS));
      TestDatabase.awaitConnected(() -> stores.tenants().list());
      return stores;
    }
  }

  @Override
  public void refuseEntries() {
    insertRevoked = true;
    DATABASE.asOwner("REVOKE INSERT ON audit_entry FROM vault_runtime");
  }

  @Override
  public void tryToChangeAnEntry() {
    for (String change :
        List.of("UPDATE audit_entry SET message = 'changed'", "DELETE FROM audit_entry")) {
      assertThatThrownBy(() -> DATABASE.asRuntime(change)).isInstanceOf(SQLException.class);
    }
  }

  /** Opens other stores, which see only committed data; the shared ones stay open. */
  @Override
  public void crash() {
    current = DATABASE.stores();
    batching = current;
  }

  @Override
  public void close() {
    if (insertRevoked) {
      DATABASE.asOwner("GRANT INSERT ON audit_entry TO vault_runtime");
    }
    if (current != SHARED) {
      current.close();
    }
  }

  /** Returns a proxy for the current stores, since suites keep it when the stores are replaced. */
  @Override
  public VaultStores stores() {
    return (VaultStores)
        Proxy.newProxyInstance(
            VaultStores.class.getClassLoader(),
            new Class<?>[] {VaultStores.class},
            (proxy, port, arguments) ->
                port.invoke(BATCHING.contains(port.getName()) ? batching : current, arguments));
  }

  /** Disconnected stores, for ports that fail differently after they are closed. */
  private static final class Disconnected {

    static final JdbiStores STORES = disconnected(DATABASE);
  }
}
