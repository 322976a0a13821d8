package io.tokenvault.adapters.jdbi;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** A lock on a table, released when it is closed. */
public final class LockedTable implements AutoCloseable {

  private final Connection connection;

  private LockedTable(Connection connection) {
    this.connection = connection;
  }

  /** Locks a table so that other sessions cannot read it. */
  public static LockedTable exclusive(TestDatabase database, String table) {
    return lock("ACCESS EXCLUSIVE", database, table);
  }

  /** Locks a table so that other sessions can read and write but not alter it. */
  public static LockedTable shared(TestDatabase database, String table) {
    return lock("ACCESS SHARE", database, table);
  }

  private static LockedTable lock(String mode, TestDatabase database, String table) {
    try {
      Connection connection = database.connect();
      connection.setAutoCommit(false);
      try (Statement statement = connection.createStatement()) {
        statement.execute("LOCK TABLE " + table + " IN " + mode + " MODE");
      }
      return new LockedTable(connection);
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException failure) {
      throw new IllegalStateException(failure);
    }
  }
}
