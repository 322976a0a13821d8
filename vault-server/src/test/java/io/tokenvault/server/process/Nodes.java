package io.tokenvault.server.process;

import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import io.tokenvault.domain.proxy.TenantEgress;
import io.tokenvault.domain.tenant.ResourceName;
import io.tokenvault.domain.tenant.TenantId;
import io.tokenvault.ports.usecase.tenant.ManageTenants.IssuedTenant;
import io.tokenvault.server.assembly.Backend;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.place.FreshPostgres;
import io.tokenvault.server.place.Ports;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Any number of servers on one PostgreSQL, with a destination that all of them reach. */
final class Nodes implements AutoCloseable {

  private static final String LOCK_NOT_AVAILABLE = "55P03";

  private final Path directory = Directories.fresh();
  private final EmbeddedPostgres postgres;
  private final NamedDestination destination = new NamedDestination();
  private final List<Node> nodes = new ArrayList<>();
  private Backend operator;

  private Nodes() {
    postgres = FreshPostgres.in(directory);
  }

  /**
   * Starts them one after the other.
   *
   * @param kind {@link Node#inThisJvm} or {@link Node#process}
   * @param more settings besides those that nodes need
   */
  static Nodes start(
      int count, Function<Map<String, String>, Node> kind, Map<String, String> more) {
    Nodes nodes = new Nodes();
    try {
      nodes.serve(count, kind, more);
      return nodes;
    } catch (RuntimeException | AssertionError failed) {
      nodes.close();
      throw failed;
    }
  }

  private void serve(
      int count, Function<Map<String, String>, Node> kind, Map<String, String> more) {
    Map<String, String> settings = settings();
    settings.putAll(more);
    CommandRun.run(Map.of(), "keys", "init", settings.get("VAULT_MASTER_KEYSET_FILE"))
        .expectExit(0);
    operator = Backend.forCommand(Configuration.from(settings), new SecureRandom());
    for (int port : Ports.free(count)) {
      settings.put("VAULT_PORT", String.valueOf(port));
      Node node = kind.apply(settings);
      nodes.add(node);
      node.start();
    }
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("VAULT_DATABASE_URL", postgres.jdbcUrl());
    settings.put("VAULT_DATABASE_USER", postgres.runtimeUser());
    settings.put("VAULT_DATABASE_PASSWORD", postgres.runtimePassword());
    settings.put("VAULT_DATABASE_OWNER_USER", postgres.ownerUser());
    settings.put("VAULT_DATABASE_OWNER_PASSWORD", postgres.ownerPassword());
    settings.put("VAULT_DATABASE_POOL_SIZE", "6");
    settings.put("VAULT_DATABASE_POOL_TIMEOUT_MS", "30000");
    settings.put("VAULT_MASTER_KEYSET_FILE", file("keys.json").toString());
    settings.put("VAULT_TRANSFORM_SPARE_WORKERS", "0");
    settings.putAll(destination.settings(directory.getParent()));
    return settings;
  }

  List<Node> all() {
    return List.copyOf(nodes);
  }

  NamedDestination destination() {
    return destination;
  }

  /**
   * Runs a script as a migration is run, one statement after the other; each is tried again while
   * others hold what it needs.
   */
  void alter(String script) {
    try (Connection connection = asOwner();
        Statement statement = connection.createStatement()) {
      statement.execute("SET lock_timeout = '1s'");
      for (String each : script.split(";\\s*")) {
        VaultProcess.awaitThat("a lock for: " + each, () -> isDone(statement, each));
      }
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private static boolean isDone(Statement statement, String sql) {
    try {
      statement.execute(sql);
      return true;
    } catch (SQLException failed) {
      if (LOCK_NOT_AVAILABLE.equals(failed.getSQLState())) {
        return false;
      }
      throw new IllegalStateException(failed);
    }
  }

  private Connection asOwner() throws SQLException {
    return DriverManager.getConnection(
        postgres.jdbcUrl(), postgres.ownerUser(), postgres.ownerPassword());
  }

  /** The first column of what the database's owner is told, as text. */
  List<String> select(String query) {
    try (Connection connection = asOwner();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      List<String> texts = new ArrayList<>();
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
      return texts;
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /** A file that does not exist yet. */
  Path file(String name) {
    return directory.resolveSibling(name);
  }

  IssuedTenant newTenant() {
    return operator.manageTenants().create(new ResourceName("Many nodes"));
  }

  /** As a command of the operator does, somewhere else. */
  void changeEgress(TenantId tenant, UnaryOperator<TenantEgress> change) {
    var unused =
        operator.manageTenants().changeEgress(tenant, change, "Destinations changed").orElseThrow();
  }

  @Override
  public void close() {
    nodes.forEach(Node::stop);
    if (operator != null) {
      operator.close();
    }
    destination.close();
    postgres.close();
  }
}
