package io.tokenvault.adapters.jdbi.embedded;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;

/**
 * The runtime role and the vault's database: made if absent, so that a broken first start heals.
 */
final class Setup {

  private final Connection connection;

  private Setup(Connection connection) {
    this.connection = connection;
  }

  static void run(Endpoint endpoint) throws SQLException {
    try (Connection connection =
        endpoint.connect(Role.VAULT_OWNER, Endpoint.MAINTENANCE_DATABASE)) {
      Setup setup = new Setup(connection);
      setup.createRuntimeRole(endpoint.passwordOf(Role.VAULT_RUNTIME));
      setup.createDatabase();
      setup.grant();
    }
  }

  private void createRuntimeRole(String password) throws SQLException {
    String user = Role.VAULT_RUNTIME.user();
    if (exists("select 1 from pg_roles where rolname = '" + user + "'")) {
      return;
    }
    connection.setAutoCommit(false);
    execute("create role " + user + " login nosuperuser nocreatedb nocreaterole noreplication");
    // The driver sends a verifier, so that the password itself appears in no statement.
    connection
        .unwrap(PGConnection.class)
        .alterUserPassword(user, password.toCharArray(), "scram-sha-256");
    connection.commit();
    connection.setAutoCommit(true);
  }

  private void createDatabase() throws SQLException {
    String database = Endpoint.DATABASE;
    if (!exists("select 1 from pg_database where datname = '" + database + "'")) {
      execute("create database " + database);
    }
  }

  private void grant() throws SQLException {
    execute("revoke all on database " + Endpoint.DATABASE + " from public");
    execute("grant connect on database " + Endpoint.DATABASE + " to " + Role.VAULT_RUNTIME.user());
  }

  private boolean exists(String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      return rows.next();
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
