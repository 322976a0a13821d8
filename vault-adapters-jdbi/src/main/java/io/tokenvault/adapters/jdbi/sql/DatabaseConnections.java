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
import java.util.Objects;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Creates connections that give up in time and do not quote values in what they report.
 *
 * <p>Opening a connection always has a limit. Sessions of the pools also limit each statement and
 * the time that a transaction may be idle; a limit on their socket ends the wait for a lost server.
 */
public final class DatabaseConnections {

  // Time in addition to the server's limit on statements, after which the server counts as lost.
  private static final Duration GRACE = Duration.ofSeconds(1);
  private static final Duration VALIDATION = Duration.ofSeconds(1);
  private static final Duration KEEP_ALIVE = Duration.ofMinutes(2);
  // Values of Hikari's initializationFailTimeout: whether the pool connects when it is created.
  private static final long NO_ATTEMPT = -1;
  private static final long ONE_ATTEMPT = 0;

  private final DataSource requests;
  private final DataSource owners;
  private final int poolSize;
  private final Limits limits;

  /** When PostgreSQL plans a statement that is run repeatedly. */
  private enum Planning {
    /** Lets PostgreSQL choose, mostly a plan for the values at hand. */
    EACH_TIME("auto", "on"),
    /**
     * Plans a statement once for any values, since planning takes several times as long as running
     * it. Sequential scans are disabled: a plan made while a table was small would otherwise go on
     * reading the whole table as it grows.
     */
    ONCE("force_generic_plan", "off");

    private final String cacheMode;
    private final String wholeTables;

    Planning(String cacheMode, String wholeTables) {
      this.cacheMode = cacheMode;
      this.wholeTables = wholeTables;
    }
  }

  /** Creates connections of the roles in the settings. */
  public DatabaseConnections(DatabaseSettings settings) {
    this(
        source(settings, settings.runtime()),
        source(settings, settings.migrator()),
        settings.poolSize(),
        settings.limits());
    // Ends the wait for a server that was lost while it ran a statement.
    ((PGSimpleDataSource) requests)
        .setSocketTimeout(seconds(settings.limits().statement().plus(GRACE)));
  }

  /**
   * Creates connections of a host application.
   *
   * @param requests a source of connections that serve requests
   * @param owners a source of connections of the tables' owner
   * @param poolSize the maximum number of connections in the pools
   * @param limits the maximum times to wait; {@link Limits#connect} is up to the sources
   */
  public DatabaseConnections(DataSource requests, DataSource owners, int poolSize, Limits limits) {
    this.requests = Objects.requireNonNull(requests, "requests");
    this.owners = Objects.requireNonNull(owners, "owners");
    this.poolSize = poolSize;
    this.limits = Objects.requireNonNull(limits, "limits");
  }

  /** Returns the maximum times to wait. */
  public Limits limits() {
    return limits;
  }

  /**
   * Opens the pools.
   *
   * @throws io.tokenvault.domain.failure.RefusedException if the database cannot be reached
   */
  public Pools openPools() {
    return new Pools(
        pool(),
        new HikariDataSource(config("vault-steady", steadySize(), Planning.ONCE)),
        single(),
        forMigrations());
  }

  /**
   * Creates the pool for statements that are planned for the values they search. Opens a connection
   * first if possible: a start would otherwise find the pool empty, and wait for it only as long as
   * a request may.
   */
  private HikariDataSource pool() {
    HikariConfig config = config("vault", Math.max(1, poolSize - steadySize()), Planning.EACH_TIME);
    config.setInitializationFailTimeout(ONE_ATTEMPT);
    try {
      return new HikariDataSource(config);
    } catch (PoolInitializationException failed) {
      throw SqlFailures.translate(failed);
    }
  }

  /** Returns the size of the steady pool: about two thirds of all connections. */
  private int steadySize() {
    return (poolSize * 2 + 2) / 3;
  }

  /**
   * Creates a pool of one connection, opened when it is first used, that does not compete with
   * requests.
   */
  private HikariDataSource single() {
    HikariConfig config = config("vault-sealer", 1, Planning.EACH_TIME);
    config.setMinimumIdle(0);
    return new HikariDataSource(config);
  }

  /** Returns the settings that all pools share. */
  private HikariConfig config(String name, int size, Planning planning) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    config.setDataSource(bounded());
    config.setMaximumPoolSize(size);
    config.setConnectionTimeout(limits.pool().toMillis());
    config.setValidationTimeout(validation().toMillis());
    config.setExceptionOverride(new ReadOnlyEviction());
    config.setKeepaliveTime(KEEP_ALIVE.toMillis());
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    config.setInitializationFailTimeout(NO_ATTEMPT);
    config.setConnectionInitSql(sessionSettings(planning));
    return config;
  }

  /**
   * Returns the limit for checking a connection: at most 1 s, so that a request can find several
   * connections dead and still get a working one in time.
   */
  private Duration validation() {
    Duration pool = limits.pool();
    return pool.compareTo(VALIDATION) < 0 ? pool : VALIDATION;
  }

  /**
   * Returns a source of connections of the runtime role whose statements time out on the socket.
   */
  public DataSource bounded() {
    return requests;
  }

  /**
   * Returns the statement that configures a session: time limits, planning, and durable commits
   * even if the server's default says otherwise. The limit on idle transactions frees the locks of
   * a node that the network has lost.
   */
  private String sessionSettings(Planning planning) {
    return """
    SELECT set_config('statement_timeout', '%s', false),
           set_config('plan_cache_mode', '%s', false),
           set_config('enable_seqscan', '%s', false),
           set_config('idle_in_transaction_session_timeout', '%s', false),
           set_config('synchronous_commit',
                 replace(current_setting('synchronous_commit'), 'off', 'on'), false)
    """
        .formatted(
            limits.statement().toMillis(),
            planning.cacheMode,
            planning.wholeTables,
            limits.statement().toMillis());
  }

  /** Returns the name of the role that serves requests. */
  public String runtimeUser() {
    return user(requests);
  }

  /** Returns whether one role both owns the tables and serves requests. */
  public boolean haveOneRole() {
    return user(requests).equals(user(owners));
  }

  /** Returns the user of a source; one that does not state it is asked by a statement. */
  private static String user(DataSource source) {
    return source instanceof PGSimpleDataSource postgres && postgres.getUser() != null
        ? postgres.getUser()
        : new Database(source)
            .run(handle -> handle.createQuery("SELECT current_user").mapTo(String.class).one());
  }

  /** Returns a source of connections of the owner, without a limit on statements. */
  public DataSource forMigrations() {
    return owners;
  }

  private static PGSimpleDataSource source(DatabaseSettings settings, Login login) {
    Limits limits = settings.limits();
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(settings.jdbcUrl());
    source.setUser(login.user());
    source.setPassword(new String(login.password().open(), StandardCharsets.UTF_8));
    source.setApplicationName("token-vault");
    source.setConnectTimeout(seconds(limits.connect()));
    source.setLoginTimeout(seconds(limits.connect()));
    source.setTcpKeepAlive(true);
    // The detail of an error quotes the values of the row that caused it.
    source.setLogServerErrorDetail(false);
    return source;
  }

  /** Rounds up to whole seconds. */
  private static int seconds(Duration duration) {
    return Math.toIntExact(duration.plusMillis(999).toSeconds());
  }

  /**
   * Evicts connections to a server that rejects writes: after a failover it may be the new standby,
   * and a new connection finds the primary.
   */
  private static final class ReadOnlyEviction implements SQLExceptionOverride {

    @java.lang.Override
    public SQLExceptionOverride.Override adjudicate(SQLException failure) {
      return SqlFailures.READ_ONLY.equals(failure.getSQLState())
          ? SQLExceptionOverride.Override.MUST_EVICT
          : SQLExceptionOverride.Override.CONTINUE_EVICT;
    }
  }

  /**
   * The connection pools of one database, by purpose.
   *
   * <p>Closing it closes the pools; {@code owners} holds no connection.
   *
   * @param requests for statements that are planned for the values they search
   * @param steady for the few statements that every request runs, whose plan is reused
   * @param sealing a single connection that extends the hash chain, independent of requests
   * @param owners a source of new connections with the rights of the tables' owner
   */
  public record Pools(
      HikariDataSource requests,
      HikariDataSource steady,
      HikariDataSource sealing,
      DataSource owners)
      implements AutoCloseable {

    @Override
    public void close() {
      steady.close();
      sealing.close();
      requests.close();
    }
  }
}
