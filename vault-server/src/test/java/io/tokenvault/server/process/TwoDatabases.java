package io.tokenvault.server.process;

import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import io.tokenvault.server.place.FreshPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Two databases that tenants are spread over, and a keyset for both. */
final class TwoDatabases implements AutoCloseable {

  private static final String FIRST = "vault";
  private static final String SECOND = "second";

  private final Path directory = Directories.fresh();
  private final EmbeddedPostgres postgres = FreshPostgres.in(directory);
  private final Optional<EmbeddedPostgres> other;

  private TwoDatabases(Optional<EmbeddedPostgres> other) {
    this.other = other;
    CommandRun.run(Map.of(), "keys", "init", keyset().toString()).expectExit(0);
  }

  static TwoDatabases inOnePostgres() {
    TwoDatabases databases = new TwoDatabases(Optional.empty());
    databases.sql(1, "CREATE DATABASE " + SECOND);
    return databases;
  }

  /** With the same users and passwords. */
  static TwoDatabases inTwo() {
    EmbeddedPostgres other = FreshPostgres.in(Directories.fresh());
    TwoDatabases databases = new TwoDatabases(Optional.of(other));
    EmbeddedPostgres first = databases.postgres;
    run(other, setPassword(first.runtimeUser(), first.runtimePassword()), other.ownerPassword());
    run(other, setPassword(first.ownerUser(), first.ownerPassword()), other.ownerPassword());
    return databases;
  }

  private static String setPassword(String user, String password) {
    return "ALTER ROLE " + user + " PASSWORD '" + password + "'";
  }

  private static void run(EmbeddedPostgres server, String statement, String password) {
    run(server.jdbcUrl(), server.ownerUser(), password, statement);
  }

  private Path keyset() {
    return directory.resolveSibling("keys.json");
  }

  /** Where a test may put files. */
  Path place() {
    return directory.getParent();
  }

  Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("VAULT_DATABASE_URL", url(1));
    settings.put("VAULT_DATABASE_SHARDS", url(2));
    settings.put("VAULT_DATABASE_USER", postgres.runtimeUser());
    settings.put("VAULT_DATABASE_PASSWORD", postgres.runtimePassword());
    settings.put("VAULT_DATABASE_OWNER_USER", postgres.ownerUser());
    settings.put("VAULT_DATABASE_OWNER_PASSWORD", postgres.ownerPassword());
    settings.put("VAULT_DATABASE_POOL_SIZE", "4");
    settings.put("VAULT_MASTER_KEYSET_FILE", keyset().toString());
    return settings;
  }

  private String url(int database) {
    return database == 1
        ? postgres.jdbcUrl()
        : other
            .map(EmbeddedPostgres::jdbcUrl)
            .orElseGet(() -> postgres.jdbcUrl().replace("/" + FIRST + "?", "/" + SECOND + "?"));
  }

  /** Nobody gets to the second database any more. */
  void closeSecond() {
    if (other.isPresent()) {
      other.get().close();
      return;
    }
    sql(1, "ALTER DATABASE " + SECOND + " ALLOW_CONNECTIONS false");
    sql(
        1,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + SECOND + "'");
  }

  /** Only where both are in one PostgreSQL. */
  void openSecond() {
    sql(1, "ALTER DATABASE " + SECOND + " ALLOW_CONNECTIONS true");
  }

  /** The first column of what the owner is told. */
  List<String> sql(int database, String text) {
    return run(url(database), postgres.ownerUser(), postgres.ownerPassword(), text);
  }

  private static List<String> run(String url, String user, String password, String text) {
    try (Connection connection = DriverManager.getConnection(url, user, password);
        Statement statement = connection.createStatement()) {
      List<String> values = new ArrayList<>();
      if (statement.execute(text)) {
        ResultSet rows = statement.getResultSet();
        while (rows.next()) {
          values.add(rows.getString(1));
        }
      }
      return values;
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  @Override
  public void close() {
    other.ifPresent(EmbeddedPostgres::close);
    postgres.close();
  }
}
