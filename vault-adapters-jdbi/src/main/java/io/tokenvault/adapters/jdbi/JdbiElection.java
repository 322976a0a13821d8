package io.tokenvault.adapters.jdbi;

import io.tokenvault.adapters.jdbi.sql.SqlFailures;
import io.tokenvault.ports.runtime.LeaderElection;
import io.tokenvault.ports.runtime.LeaderTask;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Leader election by session-level advisory locks of PostgreSQL, on a connection that serves
 * nothing else.
 *
 * <p>The server releases the locks when the connection ends. It ends the connection if packets are
 * not acknowledged, because the network or the machine failed, or if no statement arrives for a
 * while, because the node hangs. A node therefore has to call {@link #keepAlive} more often than
 * the silence limit to keep its tasks. Methods are safe for use by many threads.
 */
final class JdbiElection implements LeaderElection, AutoCloseable {

  /** Silence after which the server ends the session of a node that hangs. */
  static final Duration SILENCE = Duration.ofSeconds(40);

  // The join skips settings that this version or operating system of the server does not know.
  private static final String SESSION_SETTINGS =
      """
      SELECT set_config(name, value, false)
      FROM (VALUES
        ('tcp_keepalives_idle', '10'),
        ('tcp_keepalives_interval', '5'),
        ('tcp_keepalives_count', '4'),
        ('tcp_user_timeout', '30000'),
        ('idle_session_timeout', ?)) AS wanted (name, value)
      JOIN pg_settings USING (name)
      """;

  /**
   * Acquires the lock of a task without waiting. The lock belongs to the session. Nodes of all
   * versions must use the same key.
   */
  private static final String ACQUIRE =
      "SELECT pg_try_advisory_lock(hashtext('token-vault duty ' || ?))";

  /** Releases the lock of a task while the session stays open. */
  private static final String RELEASE =
      "SELECT pg_advisory_unlock(hashtext('token-vault duty ' || ?))";

  /** Releases all locks of the session and restores its settings. */
  private static final String RESET = "SELECT pg_advisory_unlock_all(); RESET ALL";

  private final DataSource source;
  private final Duration silence;
  private final Set<LeaderTask> held = new HashSet<>();
  private Connection session;
  private boolean closed;

  /**
   * Creates an election that opens its connection when it is first used.
   *
   * @param source a source of connections that are used for nothing else
   * @param silence the time without a statement after which the server considers the node lost
   */
  JdbiElection(DataSource source, Duration silence) {
    this.source = source;
    this.silence = silence;
  }

  @Override
  public boolean ifElected(LeaderTask task, Runnable work) {
    if (!isElected(task)) {
      return false;
    }
    work.run();
    return true;
  }

  /**
   * Returns whether this node holds the lock of a task, and tries to acquire it if not. The server
   * confirms the session first, so a lock that was lost with the session is not reported as held.
   */
  private synchronized boolean isElected(LeaderTask task) {
    try {
      connect();
      if (!held.contains(task) && query(ACQUIRE, task.name())) {
        held.add(task);
      }
      return held.contains(task);
    } catch (SQLException lost) {
      throw closeLost(lost);
    }
  }

  @Override
  public synchronized void resign(LeaderTask task) {
    try {
      if (held.remove(task)) {
        query(RELEASE, task.name());
      }
    } catch (SQLException lost) {
      throw closeLost(lost);
    }
  }

  @Override
  public synchronized void keepAlive() {
    if (session != null) {
      try {
        requireSession();
      } catch (SQLException lost) {
        throw closeLost(lost);
      }
    }
  }

  /** Opens the session if there is none, and otherwise checks that the server still knows it. */
  private void connect() throws SQLException {
    if (closed) {
      throw new SQLException("the node was withdrawn");
    }
    if (session == null) {
      session = source.getConnection();
      query(SESSION_SETTINGS, Long.toString(silence.toMillis()));
    } else {
      requireSession();
    }
  }

  /** Runs a trivial statement. It fails if the session has ended, and with it all locks. */
  private void requireSession() throws SQLException {
    query("SELECT ? <> ''", "alive");
  }

  /** Runs a query with one string parameter and returns whether its first column is true. */
  private boolean query(String sql, String parameter) throws SQLException {
    try (PreparedStatement statement = session.prepareStatement(sql)) {
      statement.setString(1, parameter);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && "t".equals(row.getString(1));
      }
    }
  }

  /**
   * Closes the lost session, clears the locks that were held and returns the exception to throw.
   */
  private RuntimeException closeLost(SQLException lost) {
    closeSession();
    return SqlFailures.translate(new IllegalStateException(lost));
  }

  /** Releases all tasks so that other nodes can take them over. This node is not elected again. */
  @Override
  public synchronized void close() {
    closed = true;
    if (session != null) {
      reset();
    }
    closeSession();
  }

  /** Resets the session, since the connection of a host application may be pooled and live on. */
  private void reset() {
    try (Statement statement = session.createStatement()) {
      statement.execute(RESET);
    } catch (SQLException lost) {
      // The locks ended with the session.
    }
  }

  /** Clears the held tasks and closes the session, which releases its locks on the server. */
  private void closeSession() {
    held.clear();
    if (session != null) {
      try {
        session.close();
      } catch (SQLException alreadyGone) {
        // The server has ended the session, or ends it after the silence limit.
      }
      session = null;
    }
  }
}
