package io.tokenvault.adapters.jdbi;

import io.tokenvault.adapters.jdbi.sql.SqlFailures;
import io.tokenvault.ports.runtime.LeaderElection;
import io.tokenvault.ports.runtime.LeaderTask;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Elects by session locks of PostgreSQL, on a connection of the node's own. They go with the
 * connection, and the server ends it when it hears nothing for a while: neither the acknowledgement
 * of a packet, when the network or the machine is gone, nor a statement, when the node hangs.
 */
final class JdbiElection implements LeaderElection, AutoCloseable {

  static final Duration SILENCE = Duration.ofSeconds(40);

  // Settings that a server's version or system does not know are left out.
  private static final String NOTICE_SILENCE =
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

  private static final String TRY =
      "SELECT pg_try_advisory_lock(hashtext('token-vault duty ' || ?))";

  private static final String GIVE_UP =
      "SELECT pg_advisory_unlock(hashtext('token-vault duty ' || ?))";

  private final DataSource source;
  private final Duration silence;
  private final Set<LeaderTask> held = EnumSet.noneOf(LeaderTask.class);
  private Connection session;
  private boolean closed;

  /**
   * @param source of connections that nobody else uses
   * @param silence after which the server takes the node for lost
   */
  JdbiElection(DataSource source, Duration silence) {
    this.source = source;
    this.silence = silence;
  }

  @Override
  public boolean ifElected(LeaderTask duty, Runnable work) {
    if (!isElected(duty)) {
      return false;
    }
    work.run();
    return true;
  }

  private synchronized boolean isElected(LeaderTask duty) {
    try {
      connect();
      if (!held.contains(duty) && ask(TRY, name(duty))) {
        held.add(duty);
      }
      return held.contains(duty);
    } catch (SQLException lost) {
      throw forget(lost);
    }
  }

  @Override
  public synchronized void resign(LeaderTask duty) {
    try {
      if (held.remove(duty)) {
        ask(GIVE_UP, name(duty));
      }
    } catch (SQLException lost) {
      throw forget(lost);
    }
  }

  private static String name(LeaderTask duty) {
    return duty.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public synchronized void show() {
    if (session != null) {
      try {
        requireSession();
      } catch (SQLException lost) {
        throw forget(lost);
      }
    }
  }

  private void connect() throws SQLException {
    if (closed) {
      throw new SQLException("the node has left");
    }
    if (session == null) {
      session = source.getConnection();
      ask(NOTICE_SILENCE, Long.toString(silence.toMillis()));
    } else {
      requireSession();
    }
  }

  /** What is held is held only while the server still knows the session. */
  private void requireSession() throws SQLException {
    ask("SELECT ? <> ''", "alive");
  }

  private boolean ask(String sql, String parameter) throws SQLException {
    try (PreparedStatement statement = session.prepareStatement(sql)) {
      statement.setString(1, parameter);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() && "t".equals(row.getString(1));
      }
    }
  }

  private RuntimeException forget(SQLException lost) {
    leave();
    return SqlFailures.translate(new IllegalStateException(lost));
  }

  /** Leaves all that it was elected for to others. */
  @Override
  public synchronized void close() {
    closed = true;
    leave();
  }

  private void leave() {
    held.clear();
    if (session != null) {
      try {
        session.close();
      } catch (SQLException alreadyGone) {
        // The server has ended the session, or will.
      }
      session = null;
    }
  }
}
