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
  private static final Duration KEEP_ALIVE = Duration.ofMinutes(2);

  private final DatabaseSettings settings;

  Connections(DatabaseSettings settings) {
    this.settings = settings;
  }

  /** For requests; connects when it is first needed. */
  HikariDataSource pool() {
    HikariConfig config = new HikariConfig();
    config.setPoolName("vault");
    config.setDataSource(bounded());
    config.setMaximumPoolSize(settings.poolSize());
    config.setConnectionTimeout(settings.limits().pool().toMillis());
    config.setValidationTimeout(settings.limits().pool().toMillis());
    config.setKeepaliveTime(KEEP_ALIVE.toMillis());
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    config.setInitializationFailTimeout(-1);
    config.setConnectionInitSql(sessionSettings());
    return new HikariDataSource(config);
  }

  /** For a session that is held; each connection is a new one. */
  PGSimpleDataSource bounded() {
    PGSimpleDataSource source = source(settings.runtime());
    source.setSocketTimeout(seconds(settings.limits().statement().plus(GRACE)));
    return source;
  }

  /**
   * Limits in the server, and commits that are durable even if its default says otherwise. Where
   * the network has lost a node, what its transactions have locked is free again after the limit.
   */
  private String sessionSettings() {
    return """
    SELECT set_config('statement_timeout', '%d', false),
           set_config('idle_in_transaction_session_timeout', '%d', false),
           set_config('synchronous_commit',
                 replace(current_setting('synchronous_commit'), 'off', 'on'), false)
    """
        .formatted(
            settings.limits().statement().toMillis(), settings.limits().statement().toMillis());
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
