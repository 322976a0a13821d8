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
  private static final Limits IMPATIENT =
      new Limits(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofMillis(250));

  /** Deletes referencing tables first; for a few rows this is much faster than TRUNCATE. */
  private static final String EMPTY =
      Stream.of(
              "compiled_module",
              "keyed_request",
              "container_binding",
              "credential",
              "proxy",
              "token",
              "application",
              "tenant_key",
              "key_proof",
              "node_keyset",
              "tenant")
          .map("DELETE FROM %s;"::formatted)
          .collect(Collectors.joining());

  private static final Map<String, JdbiStores> CLOSED = new ConcurrentHashMap<>();
  private static final boolean IS_FULL = "full".equals(System.getProperty("vault.test.size"));

  /** The ports that batch the writes of concurrent calls. */
  private static final Set<String> BATCHING = Set.of("recorder", "tokens");

  private JdbiStores current = SHARED;
  private JdbiStores batching = SHARED;
  private boolean refusing;

  private JdbiStoreFixture() {}

  public static JdbiStoreFixture open() {
    DATABASE.asOwner(EMPTY);
    return new JdbiStoreFixture();
  }

  @Override
  public void breakConnection() {
    current = broken(DATABASE);
    batching = IS_FULL ? current : Cut.STORES;
  }

  /** Returns closed stores, so that no call waits for a connection. */
  private static JdbiStores closed(TestDatabase database) {
    return CLOSED.computeIfAbsent(
        database.name(),
        unused -> {
          JdbiStores closed = database.stores(IMPATIENT, 1);
          closed.close();
          return closed;
        });
  }

  /** Returns closed stores, or disconnected ones in a full test run. */
  public static JdbiStores broken(TestDatabase database) {
    return IS_FULL ? cut(database) : closed(database);
  }

  /** Returns stores whose open connections were cut. */
  public static JdbiStores cut(TestDatabase database) {
    try (Relay relay = Relay.to(database.port())) {
      JdbiStores cut = TestDatabase.patiently(() -> database.storesThrough(relay, IMPATIENT));
      TestDatabase.patiently(() -> cut.tenants().list());
      return cut;
    }
  }

  @Override
  public void refuseEntries() {
    refusing = true;
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
    if (refusing) {
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
  private static final class Cut {

    static final JdbiStores STORES = cut(DATABASE);
  }
}
