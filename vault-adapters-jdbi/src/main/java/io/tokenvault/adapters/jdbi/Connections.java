package io.tokenvault.adapters.jdbi;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tokenvault.adapters.jdbi.DatabaseSettings.Limits;
import io.tokenvault.adapters.jdbi.DatabaseSettings.Login;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.postgresql.ds.PGSimpleDataSource;

/** Makes connections that give up in time and do not quote values in what they report. */
final class Connections {

  // How much longer than the statement's limit in the server a lost server is waited for.
  private static final Duration GRACE = Duration.ofSeconds(1);
  private static final Duration IDLE_IN_TRANSACTION = Duration.ofMinutes(1);
  private static final Duration KEEP_ALIVE = Duration.ofMinutes(2);

  private final DatabaseSettings settings;

  Connections(DatabaseSettings settings) {
    this.settings = settings;
  }

  /** For requests; connects when it is first needed. */
  HikariDataSource pool() {
    return new HikariDataSource(config("vault", settings.poolSize()));
  }

  /** One connection that does not wait for requests to leave one; made when it is first needed. */
  HikariDataSource single() {
    HikariConfig config = config("vault-sealer", 1);
    config.setMinimumIdle(0);
    return new HikariDataSource(config);
  }

  private HikariConfig config(String name, int size) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    config.setDataSource(bounded());
    config.setMaximumPoolSize(size);
    config.setConnectionTimeout(settings.limits().pool().toMillis());
    config.setValidationTimeout(settings.limits().pool().toMillis());
    config.setKeepaliveTime(KEEP_ALIVE.toMillis());
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    config.setInitializationFailTimeout(-1);
    config.setConnectionInitSql(sessionSettings());
    return config;
  }

  /** For a session that is held; each connection is a new one. */
  PGSimpleDataSource bounded() {
    PGSimpleDataSource source = source(settings.runtime());
    source.setSocketTimeout(seconds(settings.limits().statement().plus(GRACE)));
    return source;
  }

  /** Limits in the server, and commits that are durable even if its default says otherwise. */
  private String sessionSettings() {
    return """
    SELECT set_config('statement_timeout', '%d', false),
           set_config('idle_in_transaction_session_timeout', '%d', false),
           set_config('synchronous_commit',
                 replace(current_setting('synchronous_commit'), 'off', 'on'), false)
    """
        .formatted(settings.limits().statement().toMillis(), IDLE_IN_TRANSACTION.toMillis());
  }

  /** For migrations, which may take their time. */
  PGSimpleDataSource forMigrations() {
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
}
