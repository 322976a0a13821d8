package io.tokenvault.adapters.jdbi.embedded;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;

/**
 * A claim on a running server, held as an advisory lock, so it ends with its holder. Guests share
 * it; the host takes it alone before it stops the server, and from then on no guest gets in.
 */
final class Lease implements AutoCloseable {

  private static final String SHARED = "select pg_try_advisory_lock_shared(8529485420216315495)";
  private static final String ALONE = "select pg_try_advisory_lock(8529485420216315495)";

  private final Connection connection;

  private Lease(Connection connection) {
    this.connection = connection;
  }

  /** Empty if no server answers, or its host is about to stop it. */
  static Optional<Lease> asGuest(Endpoint endpoint) {
    return claim(endpoint, SHARED, Duration.ZERO);
  }

  /** Waits until the last guest has left; empty if one stays too long, or the server is gone. */
  static Optional<Lease> asLeavingHost(Endpoint endpoint, Duration patience) {
    return claim(endpoint, ALONE, patience);
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      // The server is gone, and the lock with it.
    }
  }

  private static Optional<Lease> claim(Endpoint endpoint, String question, Duration patience) {
    try {
      Lease lease = new Lease(endpoint.connect(Role.VAULT_OWNER, Endpoint.DATABASE));
      if (lease.isGranted(question, Deadline.in(patience))) {
        return Optional.of(lease);
      }
      lease.close();
      return Optional.empty();
    } catch (SQLException e) {
      return Optional.empty();
    }
  }

  private boolean isGranted(String question, Deadline deadline) throws SQLException {
    while (!ask(question)) {
      if (deadline.passed()) {
        return false;
      }
      deadline.pause();
    }
    return true;
  }

  private boolean ask(String question) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(question)) {
      return row.next() && row.getBoolean(1);
    }
  }
}
