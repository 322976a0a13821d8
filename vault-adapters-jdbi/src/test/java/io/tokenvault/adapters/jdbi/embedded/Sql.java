package io.tokenvault.adapters.jdbi.embedded;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Executes a statement on a new connection and returns the first value. */
final class Sql {

  private Sql() {}

  static String asOwner(EmbeddedPostgres postgres, String sql) throws SQLException {
    return run(postgres.jdbcUrl(), postgres.ownerUser(), postgres.ownerPassword(), sql);
  }

  static String asRuntime(EmbeddedPostgres postgres, String sql) throws SQLException {
    return run(postgres.jdbcUrl(), postgres.runtimeUser(), postgres.runtimePassword(), sql);
  }

  static String run(String url, String user, String password, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url, user, password);
        Statement statement = connection.createStatement()) {
      return statement.execute(sql) ? first(statement.getResultSet()) : "";
    }
  }

  private static String first(ResultSet rows) throws SQLException {
    return rows.next() ? rows.getString(1) : "";
  }
}
