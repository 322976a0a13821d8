package io.tokenvault.adapters.jdbi.sql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Limits;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Login;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import org.postgresql.ds.PGSimpleDataSource;

/** Makes connections that give up in time and do not quote values in what they report. */
public final class DatabaseConnections {

  // How much longer than the statement's limit in the server a lost server is waited for.
  private static final Duration GRACE = Duration.ofSeconds(1);
  private static final Duration VALIDATION = Duration.ofSeconds(1);
  private static final Duration KEEP_ALIVE = Duration.ofMinutes(2);
  private static final long NO_ATTEMPT = -1;
  private static final long ONE_ATTEMPT = 0;

  private final DatabaseSettings settings;

  /** When PostgreSQL plans a statement that is made again and again. */
  private enum Planning {
    EACH_TIME("auto", "on"),
    /**
     * Planning takes several times as long as these statements. A plan that was made while a table
     * was small must not read the whole of it, which it would go on doing while the table grows.
     */
    ONCE("force_generic_plan", "off");

    private final String cacheMode;
    private final String wholeTables;

    Planning(String cacheMode, String wholeTables) {
      this.cacheMode = cacheMode;
      this.wholeTables = wholeTables;
    }
  }

  public DatabaseConnections(DatabaseSettings settings) {
    this.settings = settings;
  }

  /**
   * For statements that are made for what they look for. Makes a connection before it is given, if
   * it can, so that who starts does not find it empty and wait no longer than a request.
   */
  HikariDataSource pool() {
    HikariConfig config =
        config("vault", Math.max(1, settings.poolSize() - steadySize()), Planning.EACH_TIME);
    config.setInitializationFailTimeout(ONE_ATTEMPT);
    try {
      return new HikariDataSource(config);
    } catch (PoolInitializationException failed) {
      throw SqlFailures.translate(failed);
    }
  }

  /** For the few statements that every request needs, whose plan is always the same. */
  HikariDataSource steadyPool() {
    return new HikariDataSource(config("vault-steady", steadySize(), Planning.ONCE));
  }

  /** Most of what there is. */
  private int steadySize() {
    return (settings.poolSize() * 2 + 2) / 3;
  }

  /** One connection that does not wait for requests to leave one; made when it is first needed. */
  HikariDataSource single() {
    HikariConfig config = config("vault-sealer", 1, Planning.EACH_TIME);
    config.setMinimumIdle(0);
    return new HikariDataSource(config);
  }

  private HikariConfig config(String name, int size, Planning planning) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    config.setDataSource(bounded());
    config.setMaximumPoolSize(size);
    config.setConnectionTimeout(settings.limits().pool().toMillis());
    config.setValidationTimeout(validation().toMillis());
    config.setExceptionOverride(new ReadOnlyEviction());
    config.setKeepaliveTime(KEEP_ALIVE.toMillis());
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    config.setInitializationFailTimeout(NO_ATTEMPT);
    config.setConnectionInitSql(sessionSettings(planning));
    return config;
  }

  /** Short, so that one request can find several connections dead and still get a good one. */
  private Duration validation() {
    Duration pool = settings.limits().pool();
    return pool.compareTo(VALIDATION) < 0 ? pool : VALIDATION;
  }

  /** For a session that is held; each connection is a new one. */
  public PGSimpleDataSource bounded() {
    PGSimpleDataSource source = source(settings.runtime());
    source.setSocketTimeout(seconds(settings.limits().statement().plus(GRACE)));
    return source;
  }

  /**
   * Limits in the server, and commits that are durable even if its default says otherwise. Where
   * the network has lost a node, what its transactions have locked is free again after the limit.
   */
  private String sessionSettings(Planning planning) {
    return """
    SELECT set_config('statement_timeout', '%d', false),
           set_config('plan_cache_mode', '%s', false),
           set_config('enable_seqscan', '%s', false),
           set_config('idle_in_transaction_session_timeout', '%d', false),
           set_config('synchronous_commit',
                 replace(current_setting('synchronous_commit'), 'off', 'on'), false)
    """
        .formatted(
            settings.limits().statement().toMillis(),
            planning.cacheMode,
            planning.wholeTables,
            settings.limits().statement().toMillis());
  }

  /** For migrations, which may take their time. */
  public PGSimpleDataSource forMigrations() {
    return source(settings.migrator());
  }

  private PGSimpleDataSource source(Login login) {
    Limits limits = settings.limits();
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(settings.jdbcUrl());
    source.setUser(login.user());
    source.setPassword(new String(login.password().open(), StandardCharsets.UTF_8));
    source.setApplicationName("token-vault");
    source.setConnectTimeout(seconds(limits.connect()));
    source.setLoginTimeout(seconds(limits.connect()));
    source.setTcpKeepAlive(true);
    source.setLogServerErrorDetail(false);
    return source;
  }

  private static int seconds(Duration duration) {
    return Math.toIntExact(duration.plusMillis(999).toSeconds());
  }

  /**
   * Ends connections to a server that takes no writes: after a failover it may have become the
   * standby, and a new connection finds the primary.
   */
  private static final class ReadOnlyEviction implements SQLExceptionOverride {

    private static final String READ_ONLY_TRANSACTION = "25006";

    @java.lang.Override
    public SQLExceptionOverride.Override adjudicate(SQLException failure) {
      return READ_ONLY_TRANSACTION.equals(failure.getSQLState())
          ? SQLExceptionOverride.Override.MUST_EVICT
          : SQLExceptionOverride.Override.CONTINUE_EVICT;
    }
  }
}
