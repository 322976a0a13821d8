package io.tokenvault.adapters.jdbi.schema;

import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.DatabaseConnections;
import io.tokenvault.adapters.jdbi.sql.SqlFailures;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings;
import io.tokenvault.domain.failure.RefusedException;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.CoreErrorCode;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.callback.BaseCallback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the schema to this version; any number of nodes may do so at once, and others may be at
 * work: a migration waits for a lock only as long as requests may wait behind it, and is tried
 * again.
 */
public final class Migrations {

  static final String NEEDED_VERSION = "12";

  /** Of the vault's own: a host application's migrations are in places of its own. */
  public static final String LOCATION = "classpath:io/tokenvault/adapters/jdbi/migration";

  private static final int ATTEMPTS = 30;
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** How often a node asks whether another one has done its migrations, with a second between. */
  private static final int TURNS = 3600;

  /** The SQL state of what fails for want of a lock. */
  private static final String LOCK_NOT_AVAILABLE = "55P03";

  private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);

  private final DatabaseSettings settings;
  private final DataSource source;
  private final SchemaHistory history;

  public Migrations(DatabaseSettings settings) {
    this.settings = settings;
    this.source = new DatabaseConnections(settings).forMigrations();
    this.history = new SchemaHistory(source);
  }

  /**
   * Migrates, then gives the runtime role its rights.
   *
   * @throws RefusedException if the database cannot be reached
   * @throws IllegalStateException if its schema is not ours or too new, or the owner lacks rights
   */
  public void run() {
    if (settings.hasOneRole()) {
      LOG.warn(
          "One database role owns the tables and serves requests: who gets hold of it could remove"
              + " the audit log's protection. Give the migrations an owner of their own.");
    }
    run(NEEDED_VERSION);
    new SchemaContract(new Database(source)).requireServed(known());
    grant();
  }

  /**
   * Migrates up to an earlier version, for what belongs into a schema of that version. Does nothing
   * to a schema that is further.
   */
  public void run(String version) {
    Flyway flyway = flyway(version);
    history.takeOver(flyway);
    migrate(flyway);
    history.completeFormer(flyway);
  }

  /** The version that the schema has; 0 where there is none. */
  public int current() {
    history.takeOver(flyway(NEEDED_VERSION));
    return history.version();
  }

  /** The newest version of the schema that this code knows. */
  public static int known() {
    return Integer.parseInt(NEEDED_VERSION);
  }

  private Flyway flyway(String version) {
    FluentConfiguration flyway =
        Flyway.configure(Migrations.class.getClassLoader())
            .dataSource(source)
            .locations(LOCATION)
            .failOnMissingLocations(true)
            .table(SchemaHistory.TABLE)
            .loggers("slf4j")
            .callbacks(new ShortWaits())
            .lockRetryCount(TURNS);
    if (!version.equals(NEEDED_VERSION)) {
      flyway.target(version);
    }
    return flyway.load();
  }

  private static void migrate(Flyway flyway) {
    for (int left = ATTEMPTS - 1; !migrateIfFree(flyway, left == 0); left--) {
      LOG.info("A migration waits for a lock that others hold; {} more attempts", left);
      pause();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the migrations were interrupted");
    }
  }

  /** What a migration did before it had to wait too long is undone. */
  private static boolean migrateIfFree(Flyway flyway, boolean last) {
    try {
      flyway.migrate();
      return true;
    } catch (FlywayException failure) {
      if (last || !isForWantOfALock(failure)) {
        throw translate(failure);
      }
      return false;
    }
  }

  private static boolean isForWantOfALock(FlywayException failure) {
    SQLException sql = SqlFailures.find(SQLException.class, failure);
    return sql != null && LOCK_NOT_AVAILABLE.equals(sql.getSQLState());
  }

  private static RuntimeException translate(FlywayException failure) {
    SQLException sql = SqlFailures.find(SQLException.class, failure);
    if (sql == null) {
      return new IllegalStateException(
          failure.getErrorCode() == CoreErrorCode.NON_EMPTY_SCHEMA_WITHOUT_SCHEMA_HISTORY_TABLE
              ? "it has tables that are not the vault's; the vault needs a database of its own"
              : "the schema cannot be migrated: " + failure.getErrorCode());
    }
    return SqlFailures.INSUFFICIENT_PRIVILEGE.equals(sql.getSQLState())
        ? new IllegalStateException("its owner may not make or change the vault's tables")
        : SqlFailures.translate(failure);
  }

  private void grant() {
    new Database(source)
        .change(
            handle -> {
              handle.execute("SELECT pg_advisory_xact_lock(hashtext('token-vault grants'))");
              return handle.execute("SELECT grant_runtime(?)", settings.runtime().user());
            });
  }

  /**
   * Lets a migration wait for a lock only as long as requests may wait behind it: who asks for a
   * lock after it stands in line, even if the lock is free for them.
   */
  private static final class ShortWaits extends BaseCallback {

    private static final String STATEMENT = "SET lock_timeout = '1s'";

    @Override
    public boolean supports(Event event, Context context) {
      return event == Event.AFTER_CONNECT;
    }

    @Override
    public void handle(Event event, Context context) {
      try (Statement statement = context.getConnection().createStatement()) {
        statement.execute(STATEMENT);
      } catch (SQLException failure) {
        throw new IllegalStateException("no limit could be set", SqlFailures.withoutText(failure));
      }
    }
  }
}
