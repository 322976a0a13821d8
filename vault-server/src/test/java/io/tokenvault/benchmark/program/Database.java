package io.tokenvault.benchmark.program;

import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The database of a vault that runs, for looking after what it did and for filling it. */
public final class Database implements AutoCloseable {

  private final EmbeddedPostgres postgres;
  private final Connection connection;

  private Database(EmbeddedPostgres postgres, Connection connection) {
    this.postgres = postgres;
    this.connection = connection;
  }

  public static Database of(Path dataDirectory) {
    EmbeddedPostgres postgres = EmbeddedPostgres.attach(dataDirectory).orElseThrow();
    try {
      return new Database(
          postgres,
          DriverManager.getConnection(
              postgres.jdbcUrl(), postgres.ownerUser(), postgres.ownerPassword()));
    } catch (SQLException failed) {
      postgres.close();
      throw new IllegalStateException(failed);
    }
  }

  public EmbeddedPostgres postgres() {
    return postgres;
  }

  /** The first column of the first row. */
  public String text(String query) {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /** The first column of all rows. */
  public List<String> texts(String query) {
    try (Statement statement = connection.createStatement();
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

  public void execute(String command) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(command);
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    } finally {
      postgres.close();
    }
  }
}
