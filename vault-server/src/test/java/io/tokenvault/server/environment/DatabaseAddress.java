package io.tokenvault.server.environment;

import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The address of a test database with both of its logins; runs statements as the owner. */
public record DatabaseAddress(
    String jdbcUrl,
    String runtimeUser,
    String runtimePassword,
    String ownerUser,
    String ownerPassword) {

  /** Returns the address of the server that runs on a data directory. */
  public static DatabaseAddress of(Path dataDirectory) {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.attach(dataDirectory).orElseThrow()) {
      return of(postgres);
    }
  }

  public static DatabaseAddress of(EmbeddedPostgres postgres) {
    return new DatabaseAddress(
        postgres.jdbcUrl(),
        postgres.runtimeUser(),
        postgres.runtimePassword(),
        postgres.ownerUser(),
        postgres.ownerPassword());
  }

  /** Returns the settings of a server that uses this database. */
  public Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("VAULT_DATABASE_URL", jdbcUrl);
    settings.put("VAULT_DATABASE_USER", runtimeUser);
    settings.put("VAULT_DATABASE_PASSWORD", runtimePassword);
    settings.put("VAULT_DATABASE_OWNER_USER", ownerUser);
    settings.put("VAULT_DATABASE_OWNER_PASSWORD", ownerPassword);
    return settings;
  }

  /** Connects as the owner. */
  public Connection connect() {
    try {
      return DriverManager.getConnection(jdbcUrl, ownerUser, ownerPassword);
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /** Runs a statement and returns the first column of its rows as text; empty without rows. */
  public List<String> select(String statement, String... parameters) {
    try (Connection connection = connect()) {
      return select(connection, statement, parameters);
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /** Runs a statement and returns the first column of its rows as text; empty without rows. */
  public static List<String> select(Connection connection, String statement, String... parameters) {
    try (PreparedStatement prepared = connection.prepareStatement(statement)) {
      for (int i = 0; i < parameters.length; i++) {
        prepared.setString(i + 1, parameters[i]);
      }
      List<String> texts = new ArrayList<>();
      if (prepared.execute()) {
        ResultSet rows = prepared.getResultSet();
        while (rows.next()) {
          texts.add(rows.getString(1));
        }
      }
      return texts;
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }
}
