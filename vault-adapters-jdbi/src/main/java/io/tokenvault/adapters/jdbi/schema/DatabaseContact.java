package io.tokenvault.adapters.jdbi.schema;

import io.tokenvault.adapters.jdbi.JdbiStores;
import io.tokenvault.adapters.jdbi.sql.DatabaseConnections;
import io.tokenvault.adapters.jdbi.sql.SqlFailures;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings;
import io.tokenvault.adapters.jdbi.stores.UnusableDatabaseException;
import java.io.EOFException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.util.PSQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first contact with a database: checks that it accepts both roles, is recent enough and
 * accepts writes.
 */
public final class DatabaseContact {

  /** The oldest major version of PostgreSQL that the vault supports. */
  public static final int OLDEST_VERSION = 15;

  private static final Logger LOG = LoggerFactory.getLogger(DatabaseContact.class);

  private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

  /** Divisor that turns {@code server_version_num} into the major version. */
  private static final int MAJOR_DIVISOR = 10_000;

  private static final String STATE =
      """
      SELECT current_setting('server_version_num')::integer,
             current_setting('transaction_read_only') = 'on'
      """;

  /** Causes of failures before the server responded; the first one that occurs explains it. */
  private static final List<Map.Entry<Class<? extends Throwable>, String>> UNREACHED =
      List.of(
          Map.entry(UnknownHostException.class, "unknown host"),
          Map.entry(NoRouteToHostException.class, "no route to the host"),
          Map.entry(ConnectException.class, "connection refused"),
          Map.entry(SocketTimeoutException.class, "no response in time"),
          Map.entry(EOFException.class, "the connection was closed"),
          Map.entry(SocketException.class, "the connection was closed"),
          Map.entry(SQLTransientException.class, "its pool has no free connection"));

  private final DatabaseConnections connections;
  private final int oldestVersion;

  /**
   * Creates a check.
   *
   * @param connections sources of connections of both roles
   * @param oldestVersion the oldest major version of PostgreSQL to accept
   */
  public DatabaseContact(DatabaseConnections connections, int oldestVersion) {
    this.connections = connections;
    this.oldestVersion = oldestVersion;
  }

  /**
   * Waits until the database can be used; see {@link JdbiStores#await}.
   *
   * @param timeout the maximum time to retry
   * @throws UnusableDatabaseException if the database cannot be used, at once if waiting cannot
   *     help
   */
  public void await(Duration timeout) {
    long end = System.nanoTime() + timeout.toNanos();
    boolean logged = false;
    while (true) {
      try {
        tryOnce();
        return;
      } catch (UnusableDatabaseException unusable) {
        long left = end - System.nanoTime();
        if (unusable.isPermanent() || left <= 0) {
          throw unusable;
        }
        if (!logged) {
          LOG.warn("{} Waiting up to {} s for it", unusable.getMessage(), timeout.toSeconds());
          logged = true;
        }
        pause(Math.min(left, PAUSE_NANOS), unusable);
      }
    }
  }

  /** Sleeps. If interrupted, throws the failure that led to the pause. */
  private static void pause(long nanos, UnusableDatabaseException unusable) {
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw unusable;
    }
  }

  /** Checks the owner's and, if it is another role, the runtime role's access. */
  private void tryOnce() {
    check(connections.forMigrations());
    if (!connections.haveOneRole()) {
      check(connections.bounded());
    }
  }

  /** Connects as one role and checks the server's version and that it accepts writes. */
  private void check(DataSource source) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet state = statement.executeQuery(STATE)) {
      state.next();
      int version = state.getInt(1) / MAJOR_DIVISOR;
      if (version < oldestVersion) {
        throw unusable(
            source,
            "it is PostgreSQL " + version + ", and the vault needs " + oldestVersion + " or later",
            true);
      }
      if (state.getBoolean(2)) {
        throw unusable(source, "it is read-only, like a standby", false);
      }
    } catch (SQLException failure) {
      throw because(source, failure);
    }
  }

  /**
   * Explains a failure: with the server's SQL state if it responded, and otherwise by its cause.
   */
  private static UnusableDatabaseException because(DataSource source, SQLException failure) {
    PSQLException error = SqlFailures.find(PSQLException.class, failure);
    return error != null && error.getServerErrorMessage() != null
        ? refused(source, String.valueOf(error.getSQLState()))
        : unreached(source, failure);
  }

  /**
   * Explains the SQL state that the server sent. The server's own text may contain more than a log
   * should, so it is not used.
   */
  private static UnusableDatabaseException refused(DataSource source, String state) {
    String user =
        source instanceof PGSimpleDataSource postgres
            ? "the user " + postgres.getUser()
            : "the user of the DataSource";
    return switch (state) {
      case "28P01" -> unusable(source, "authentication of " + user + " failed", true);
      case "28000" ->
          unusable(
              source,
              user
                  + " is rejected: unknown, or denied by pg_hba.conf from this address or"
                  + " without TLS",
              true);
      case "3D000" -> unusable(source, "the database does not exist", true);
      case SqlFailures.INSUFFICIENT_PRIVILEGE ->
          unusable(source, user + " has no right to connect", true);
      case "57P03" -> unusable(source, "it is starting up or shutting down", false);
      case "53300" -> unusable(source, "it has no free connections", false);
      default -> unusable(source, "it returns SQL state " + state, !isTemporary(state));
    };
  }

  /**
   * Returns whether a state may change without a new setup: lost connections (class 08),
   * insufficient resources (53), an operator's intervention (57).
   */
  private static boolean isTemporary(String state) {
    return state.startsWith("08") || state.startsWith("53") || state.startsWith("57");
  }

  /** Explains a connection that failed before the server responded. */
  private static UnusableDatabaseException unreached(DataSource source, SQLException failure) {
    for (Map.Entry<Class<? extends Throwable>, String> each : UNREACHED) {
      if (SqlFailures.find(each.getKey(), failure) != null) {
        return unusable(source, each.getValue(), false);
      }
    }
    return switch (String.valueOf(failure.getSQLState())) {
      case "08001" -> unusable(source, "no response in time", false);
      case "08004" ->
          unusable(
              source,
              "it requires a password, TLS, or an authentication method that is not configured,"
                  + " or does not offer the TLS that the URL requires",
              true);
      default ->
          unusable(
              source,
              "the TLS connection fails: check sslmode and sslrootcert in the URL, and the name"
                  + " and issuer of the server's certificate",
              true);
    };
  }

  /** Returns the exception with the name of the database. */
  private static UnusableDatabaseException unusable(
      DataSource source, String why, boolean permanent) {
    return new UnusableDatabaseException(
        "The database %s cannot be used: %s.".formatted(name(source), why), permanent);
  }

  /**
   * Returns the name of a database with its hosts; of a host's source, which has none, its class.
   */
  private static String name(DataSource source) {
    if (!(source instanceof PGSimpleDataSource postgres)) {
      return "of the DataSource " + source.getClass().getName();
    }
    String[] hosts = postgres.getServerNames();
    int[] ports = postgres.getPortNumbers();
    String places =
        IntStream.range(0, hosts.length)
            .mapToObj(each -> withoutUser(hosts[each]) + ":" + port(ports, each))
            .collect(Collectors.joining(", "));
    return "%s at %s".formatted(postgres.getDatabaseName(), places);
  }

  /**
   * Removes a user and password before the host. The driver does not support them there, but other
   * URLs have them, so they occur by mistake.
   */
  private static String withoutUser(String host) {
    return host.substring(host.lastIndexOf('@') + 1);
  }

  /** Returns the port of a host, or the default one. */
  private static int port(int[] ports, int number) {
    int port = ports != null && number < ports.length ? ports[number] : 0;
    return port == 0 ? DatabaseSettings.USUAL_PORT : port;
  }
}
