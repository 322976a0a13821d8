package io.tokenvault.server.e2e.guarantee;

import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import io.tokenvault.server.crypto.KeysetProtection;
import io.tokenvault.server.crypto.MasterKeyset;
import io.tokenvault.server.e2e.fixture.ClosedPort;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.environment.DatabaseAddress;
import io.tokenvault.server.environment.FreshPostgres;
import io.tokenvault.server.environment.Unchecked;
import io.tokenvault.server.faults.PostgresRelay;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** A vault with short database timeouts that reaches its database through a faulty relay. */
public final class FaultyVault implements AutoCloseable {

  private final Path directory;
  private final EmbeddedPostgres postgres;
  private final PostgresRelay relay;
  private final RunningVault vault;
  private final Connection owner;

  private FaultyVault(Path directory, Map<String, String> changes) {
    this.directory = directory;
    this.postgres = FreshPostgres.in(directory);
    this.relay = PostgresRelay.to(portOf(postgres.jdbcUrl()));
    this.vault = RunningVault.start(settings(changes));
    this.owner = connectAsOwner();
  }

  public static FaultyVault start(Map<String, String> changes) {
    return Unchecked.get(
        () -> {
          Path parent = Files.createDirectories(Path.of("target", "faults").toAbsolutePath());
          return new FaultyVault(Files.createTempDirectory(parent, "database-"), changes);
        });
  }

  /**
   * Returns the vault that all tests in this JVM share. Tests end each fault that they start, and
   * compare counts with those before.
   */
  public static FaultyVault shared() {
    return Shared.VAULT;
  }

  private static int portOf(String jdbcUrl) {
    return URI.create(jdbcUrl.substring("jdbc:".length())).getPort();
  }

  private Map<String, String> settings(Map<String, String> changes) {
    Path keyset = directory.resolve("keyset.json");
    MasterKeyset.create(keyset, KeysetProtection.clear());
    Map<String, String> settings = DatabaseAddress.of(postgres).settings();
    settings.put("VAULT_DATABASE_URL", relay.through(postgres.jdbcUrl()));
    settings.put("VAULT_DATABASE_CONNECT_TIMEOUT_MS", "5000");
    settings.put("VAULT_DATABASE_STATEMENT_TIMEOUT_MS", "5000");
    settings.put("VAULT_DATABASE_POOL_TIMEOUT_MS", "10000");
    settings.put("VAULT_MASTER_KEYSET_FILE", keyset.toString());
    settings.putAll(changes);
    return settings;
  }

  public RunningVault vault() {
    return vault;
  }

  public PostgresRelay relay() {
    return relay;
  }

  /** Closes all connections to the database and refuses new ones until the result is closed. */
  public AutoCloseable disconnectDatabase() {
    ClosedPort closedPort = new ClosedPort();
    relay.redirect(closedPort.number());
    return () -> {
      relay.redirect(portOf(postgres.jdbcUrl()));
      closedPort.close();
    };
  }

  /** Opens a connection of the database superuser that bypasses the relay. */
  public Connection connectAsOwner() {
    return DatabaseAddress.of(postgres).connect();
  }

  /** Executes SQL as the database superuser and returns the first column of the result. */
  public synchronized List<String> runSql(String sql) {
    return DatabaseAddress.select(owner, sql);
  }

  @Override
  public void close() throws SQLException {
    owner.close();
    vault.close();
    relay.close();
    postgres.close();
  }

  /** Starts the shared vault on first use. */
  private static final class Shared {

    static final FaultyVault VAULT =
        start(
            Map.of(
                "VAULT_DATABASE_POOL_SIZE", "12",
                "VAULT_DATABASE_STATEMENT_TIMEOUT_MS", "2000",
                "VAULT_DATABASE_POOL_TIMEOUT_MS", "3000"));

    static {
      // Metrics count tokens at the first scrape, and then every ten minutes only.
      VAULT.vault().newTenant().owner().token("counted");
      Runtime.getRuntime().addShutdownHook(new Thread(Shared::end, "end of the faulty vault"));
    }

    private static void end() {
      try {
        VAULT.close();
      } catch (SQLException failed) {
        throw new IllegalStateException(failed);
      }
    }
  }
}
