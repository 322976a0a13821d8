package io.tokenvault.adapters.jdbi.embedded;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.ds.PGSimpleDataSource;

/** A running server and how to get in. */
final class Endpoint {

  static final String DATABASE = "vault";
  static final String MAINTENANCE_DATABASE = "postgres";

  private static final String HOST = "127.0.0.1";
  private static final int SECONDS_TO_CONNECT = 5;
  private static final int SECONDS_TO_ANSWER = 60;

  // Whoever else listens on a port that was ours must not be told the password.
  private static final String ONLY_SCRAM = "scram-sha-256";

  private final int port;
  private final Credentials credentials;

  Endpoint(int port, Credentials credentials) {
    this.port = port;
    this.credentials = credentials;
  }

  String jdbcUrl() {
    return "jdbc:postgresql://" + this + "/" + DATABASE + "?requireAuth=" + ONLY_SCRAM;
  }

  String passwordOf(Role role) {
    return credentials.passwordOf(role);
  }

  Connection connect(Role role, String database) throws SQLException {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(new String[] {HOST});
    source.setPortNumbers(new int[] {port});
    source.setDatabaseName(database);
    source.setUser(role.user());
    source.setPassword(passwordOf(role));
    source.setRequireAuth(ONLY_SCRAM);
    source.setConnectTimeout(SECONDS_TO_CONNECT);
    source.setSocketTimeout(SECONDS_TO_ANSWER);
    return source.getConnection();
  }

  @Override
  public String toString() {
    return HOST + ":" + port;
  }
}
