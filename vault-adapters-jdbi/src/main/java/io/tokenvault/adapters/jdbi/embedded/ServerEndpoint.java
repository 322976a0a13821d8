package io.tokenvault.adapters.jdbi.embedded;

import java.io.IOException;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.util.PasswordUtil;

/** The address of a running server, its two roles and their passwords. */
final class ServerEndpoint {

  /** The bootstrap superuser: migrates, and creates and drops partitions. */
  static final String OWNER = "vault_owner";

  /** The role that the vault serves requests with. */
  static final String RUNTIME = "vault_runtime";

  /** Name of the vault's database. */
  private static final String DATABASE = "vault";

  private static final String MAINTENANCE_DATABASE = "postgres";
  private static final String HOST = "127.0.0.1";
  private static final int SECONDS_TO_CONNECT = 5;
  private static final int SECONDS_TO_RESPOND = 60;

  // Another program that listens on the server's former port must not receive the password.
  private static final String ONLY_SCRAM = "scram-sha-256";

  /**
   * Iterations make passwords that people choose expensive to guess (RFC 7677 recommends 4096).
   * These have 256 random bits, so iterations would only make each connection slower.
   */
  private static final int SCRAM_ITERATIONS = 1;

  private static final int SALT_BYTES = 16;

  // Advisory locks of the vault's database: the server releases them when their session ends.
  private static final String SHARED = "select pg_try_advisory_lock_shared(8529485420216315495)";
  private static final String EXCLUSIVE = "select pg_try_advisory_lock(8529485420216315495)";

  private final int port;
  private final String ownerPassword;
  private final String runtimePassword;

  /** Reads the passwords from the data directory. */
  ServerEndpoint(int port, DataDirectory directory) throws IOException {
    this.port = port;
    this.ownerPassword = directory.password(OWNER);
    this.runtimePassword = directory.password(RUNTIME);
  }

  /** Returns the URL without credentials. The driver refuses any authentication but SCRAM. */
  String jdbcUrl() {
    return "jdbc:postgresql://" + this + "/" + DATABASE + "?requireAuth=" + ONLY_SCRAM;
  }

  String ownerPassword() {
    return ownerPassword;
  }

  String runtimePassword() {
    return runtimePassword;
  }

  @Override
  public String toString() {
    return HOST + ":" + port;
  }

  /**
   * Claims the server for a guest for as long as the connection is open. Empty if no server
   * responds, or if its host is about to stop it.
   */
  Optional<Connection> claimShared() {
    return claim(SHARED, Duration.ZERO);
  }

  /**
   * Claims the server for a host that stops it: no guest is admitted afterwards. Waits until the
   * last guest has left; empty if one stays too long, or if the server is gone.
   */
  Optional<Connection> claimExclusively(Duration timeout) {
    return claim(EXCLUSIVE, timeout);
  }

  /**
   * Polls for an advisory lock until the deadline. Closes the connection unless it has the lock.
   */
  private Optional<Connection> claim(String question, Duration timeout) {
    Deadline deadline = Deadline.in(timeout);
    try {
      Connection connection = connect(DATABASE, SECONDS_TO_CONNECT);
      boolean claimed = false;
      try {
        claimed = isTrue(connection, question);
        while (!claimed && !deadline.passed()) {
          deadline.pause();
          claimed = isTrue(connection, question);
        }
        return claimed ? Optional.of(connection) : Optional.empty();
      } finally {
        if (!claimed) {
          connection.close();
        }
      }
    } catch (SQLException noServer) {
      return Optional.empty();
    }
  }

  /** Closes the connection of a claim, and with it the claim. */
  static void release(Connection claim) {
    try {
      claim.close();
    } catch (SQLException serverIsGone) {
      // The claim ended with the connection.
    }
  }

  /**
   * Creates the runtime role and the database if they are absent, so that a first start that was
   * interrupted can be repeated.
   *
   * @param random the source of salts
   */
  void setUp(SecureRandom random) throws SQLException {
    try (Connection connection = connect(MAINTENANCE_DATABASE, SECONDS_TO_RESPOND)) {
      if (!exists(connection, "pg_roles where rolname = '" + RUNTIME + "'")) {
        createRuntimeRole(connection, random);
      }
      if (!exists(connection, "pg_database where datname = '" + DATABASE + "'")) {
        execute(connection, "create database " + DATABASE);
      }
      execute(connection, "revoke all on database " + DATABASE + " from public");
      execute(connection, "grant connect on database " + DATABASE + " to " + RUNTIME);
    }
  }

  /**
   * Creates the role together with its password, so that it never exists without one, and replaces
   * the verifier of the owner's password, which {@code initdb} has computed with many iterations.
   */
  private void createRuntimeRole(Connection connection, SecureRandom random) throws SQLException {
    connection.setAutoCommit(false);
    execute(
        connection,
        "create role " + RUNTIME + " login nosuperuser nocreatedb nocreaterole noreplication");
    setPassword(connection, RUNTIME, runtimePassword, random);
    setPassword(connection, OWNER, ownerPassword, random);
    connection.commit();
    connection.setAutoCommit(true);
  }

  /** Sets a password by its verifier, so that the password itself appears in no statement. */
  private static void setPassword(
      Connection connection, String role, String password, SecureRandom random)
      throws SQLException {
    byte[] salt = new byte[SALT_BYTES];
    random.nextBytes(salt);
    String verifier =
        PasswordUtil.encodeScramSha256(password.toCharArray(), SCRAM_ITERATIONS, salt);
    execute(connection, "alter role " + role + " password '" + verifier + "'");
  }

  /**
   * Connects as the owner.
   *
   * @param seconds how long the server may take to respond, to the login and to each statement
   */
  private Connection connect(String database, int seconds) throws SQLException {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(new String[] {HOST});
    source.setPortNumbers(new int[] {port});
    source.setDatabaseName(database);
    source.setUser(OWNER);
    source.setPassword(ownerPassword);
    source.setRequireAuth(ONLY_SCRAM);
    source.setConnectTimeout(SECONDS_TO_CONNECT);
    source.setSocketTimeout(seconds);
    return source.getConnection();
  }

  private static boolean exists(Connection connection, String rows) throws SQLException {
    return isTrue(connection, "select exists (select 1 from " + rows + ")");
  }

  private static boolean isTrue(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() && row.getBoolean(1);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
