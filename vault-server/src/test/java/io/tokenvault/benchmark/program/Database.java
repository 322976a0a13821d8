package io.tokenvault.benchmark.program;

import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import io.tokenvault.server.place.DatabaseAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
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
    return new Database(postgres, DatabaseAddress.of(postgres).connect());
  }

  public EmbeddedPostgres postgres() {
    return postgres;
  }

  /** The first column of the first row. */
  public String text(String query) {
    return texts(query).get(0);
  }

  /** The first column of all rows. */
  public List<String> texts(String query) {
    return DatabaseAddress.select(connection, query);
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
