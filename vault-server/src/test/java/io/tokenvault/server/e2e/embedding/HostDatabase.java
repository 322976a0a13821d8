package io.tokenvault.server.e2e.embedding;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import io.tokenvault.server.KeysetSource;
import io.tokenvault.server.Postgres;
import io.tokenvault.server.crypto.KeysetProtection;
import io.tokenvault.server.crypto.MasterKeyset;
import io.tokenvault.server.e2e.fixture.RunningVault;
import io.tokenvault.server.environment.DatabaseAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * An empty database of a host application with a connection pool and a keyset, on the PostgreSQL of
 * {@link RunningVault#shared}.
 */
final class HostDatabase implements AutoCloseable {

  private final EmbeddedPostgres postgres =
      EmbeddedPostgres.attach(RunningVault.shared().dataDirectory()).orElseThrow();
  private final String name = "host_" + UUID.randomUUID().toString().replace("-", "");
  private final HikariDataSource pool;
  private final Path keyset;

  HostDatabase(Path directory) {
    DatabaseAddress.of(postgres).select("CREATE DATABASE " + name);
    HikariConfig config = new HikariConfig();
    config.setDataSource(source(postgres.runtimeUser(), postgres.runtimePassword()));
    config.setMaximumPoolSize(6);
    config.setMinimumIdle(0);
    this.pool = new HikariDataSource(config);
    this.keyset = directory.resolve(name + ".json");
    MasterKeyset.create(keyset, KeysetProtection.clear());
  }

  private PGSimpleDataSource source(String user, String password) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url());
    source.setUser(user);
    source.setPassword(password);
    return source;
  }

  private String url() {
    return postgres.jdbcUrl().replaceFirst("/[^/?]+(?=\\?|$)", "/" + name);
  }

  /** Returns the host's pool for requests, and single connections for the owner. */
  Postgres byDataSources() {
    return Postgres.using(pool, source(postgres.ownerUser(), postgres.ownerPassword()));
  }

  Postgres byUrl() {
    return Postgres.url(url(), postgres.runtimeUser(), postgres.runtimePassword())
        .owner(postgres.ownerUser(), postgres.ownerPassword());
  }

  KeysetSource keyset() {
    return KeysetSource.file(keyset);
  }

  HikariDataSource pool() {
    return pool;
  }

  /** Returns the advisory locks of sessions in the host's pool. */
  List<String> locks() {
    return query(
        "SELECT objid FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory'"
            + " AND datname = current_database() AND application_name <> 'token-vault'");
  }

  List<String> query(String sql) {
    try (Connection connection = pool.getConnection()) {
      return DatabaseAddress.select(connection, sql);
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  @Override
  public void close() {
    pool.close();
    DatabaseAddress.of(postgres).select("DROP DATABASE " + name + " WITH (FORCE)");
    postgres.close();
  }
}
