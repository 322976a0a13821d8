package io.tokenvault.server.e2e;

import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The rows of all tables of a vault's embedded database, as text. */
final class Tables implements AutoCloseable {

  private static final String TABLES =
      """
      SELECT format('%I.%I', schemaname, tablename) FROM pg_tables
      WHERE schemaname NOT IN ('pg_catalog', 'information_schema')""";

  private final EmbeddedPostgres postgres;
  private final Connection connection;

  private Tables(EmbeddedPostgres postgres) {
    this.postgres = postgres;
    try {
      this.connection =
          DriverManager.getConnection(
              postgres.jdbcUrl(), postgres.ownerUser(), postgres.ownerPassword());
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  static Tables of(RunningVault vault) {
    return new Tables(EmbeddedPostgres.attach(vault.dataDirectory()).orElseThrow());
  }

  /** The rows that hold a text, by the name of their table, the log's left out. */
  Map<String, List<String>> rowsWith(String text) {
    Map<String, List<String>> found = new LinkedHashMap<>();
    for (String table : texts(TABLES)) {
      List<String> rows =
          table.contains("audit_entry")
              ? List.of()
              : texts("SELECT t::text FROM " + table + " t WHERE strpos(t::text, ?) > 0", text);
      if (!rows.isEmpty()) {
        found.put(table, rows);
      }
    }
    return found;
  }

  /** How many rows have a UUID in a column. */
  int count(String table, String column, String uuid) {
    String query = "SELECT count(*)::text FROM " + table + " WHERE " + column + " = ?::uuid";
    return Integer.parseInt(texts(query, uuid).get(0));
  }

  /** Lets nobody delete the row that has a UUID in a column until this is closed. */
  void keep(String table, String column, String uuid) {
    try {
      connection.setAutoCommit(false);
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
    String query = "SELECT 'kept' FROM " + table + " WHERE " + column + " = ?::uuid FOR KEY SHARE";
    if (texts(query, uuid).size() != 1) {
      throw new AssertionError("there is not one row to keep");
    }
  }

  /** Changes rows, which has to change one. */
  void update(String statement, String parameter) {
    try (PreparedStatement update = connection.prepareStatement(statement)) {
      update.setString(1, parameter);
      if (update.executeUpdate() != 1) {
        throw new AssertionError("not one row was changed");
      }
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  private List<String> texts(String query, String... parameters) {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setString(i + 1, parameters[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        List<String> texts = new ArrayList<>();
        while (rows.next()) {
          texts.add(rows.getString(1));
        }
        return texts;
      }
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
    postgres.close();
  }
}
