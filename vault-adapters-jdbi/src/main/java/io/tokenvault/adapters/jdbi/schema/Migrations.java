package io.tokenvault.adapters.jdbi.schema;

import io.tokenvault.adapters.jdbi.sql.Database;
import io.tokenvault.adapters.jdbi.sql.DatabaseConnections;
import io.tokenvault.adapters.jdbi.sql.SqlFailures;
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
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Migrates the schema to this version. Any number of nodes may do so at once while others serve
 * requests: a migration waits for a lock only as long as requests may wait behind it, and is
 * retried.
 */
public final class Migrations {

  /** Version of the schema that this code needs, which is also the newest that it knows. */
  public static final int NEEDED_VERSION = 15;

  /** Location of the vault's scripts, which differs from where a host application keeps its own. */
  public static final String LOCATION = "classpath:io/tokenvault/adapters/jdbi/migration";

  /**
   * Maximum number of times that a migration is started, a second apart, if it cannot get a lock.
   */
  private static final int ATTEMPTS = 30;

  private static final Duration PAUSE = Duration.ofSeconds(1);

  /**
   * Maximum number of times that a node checks, a second apart, whether another node has finished
   * its migrations.
   */
  private static final int MAX_LOCK_POLLS = 3600;

  private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);

  private final DatabaseConnections connections;
  private final DataSource source;
  private final SchemaHistory history;

  /** Creates migrations over connections of the database's owner. */
  public Migrations(DatabaseConnections connections) {
    this.connections = connections;
    this.source = connections.forMigrations();
    this.history = new SchemaHistory(source);
  }

  /**
   * Migrates to the version of this code, then grants the runtime role its rights.
   *
   * @throws RefusedException if the database cannot be reached
   * @throws IllegalStateException if its schema is not the vault's or too new, or the owner lacks
   *     rights
   */
  public void run() {
    if (connections.haveOneRole()) {
      LOG.warn(
          "One database role owns the tables and serves requests. Anyone who obtains it can"
              + " remove the audit log's protection. Use a separate owner for migrations.");
    }
    Database owner = new Database(source);
    if (!owner.change(this::grantIfComplete)) {
      run(NEEDED_VERSION);
      owner.change(this::grant);
    }
  }

  /**
   * Migrates up to an earlier version, to restore data into a schema of that version. Does nothing
   * to a schema that is newer.
   *
   * @param version the version to stop at
   */
  public void run(int version) {
    Flyway flyway = flyway(version);
    history.takeOver(flyway);
    migrate(flyway);
    history.completeLegacyTable(flyway);
  }

  /** Returns the version of the schema; 0 if there is none. */
  public int current() {
    history.takeOver(flyway(NEEDED_VERSION));
    return history.version();
  }

  /** Configures Flyway, with a target version unless it is the newest. */
  private Flyway flyway(int version) {
    FluentConfiguration flyway =
        Flyway.configure(Migrations.class.getClassLoader())
            .dataSource(source)
            .locations(LOCATION)
            .failOnMissingLocations(true)
            .table(SchemaHistory.TABLE)
            .loggers("slf4j")
            .callbacks(new LockTimeouts())
            .lockRetryCount(MAX_LOCK_POLLS);
    if (version != NEEDED_VERSION) {
      flyway.target(String.valueOf(version));
    }
    return flyway.load();
  }

  /** Migrates, and retries while others hold a lock that a migration needs. */
  private static void migrate(Flyway flyway) {
    for (int left = ATTEMPTS - 1; !migrateIfFree(flyway, left == 0); left--) {
      LOG.info("A migration is waiting for a lock; {} more retries", left);
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

  /**
   * Migrates. Returns false if a migration timed out waiting for a lock; its changes are rolled
   * back.
   *
   * @param last whether to throw in that case
   */
  private static boolean migrateIfFree(Flyway flyway, boolean last) {
    try {
      flyway.migrate();
      return true;
    } catch (FlywayException failure) {
      if (last || !SqlFailures.isLockTimeout(failure)) {
        throw translate(failure);
      }
      return false;
    }
  }

  /** Returns the exception to throw in place of Flyway's, whose text can quote statements. */
  private static RuntimeException translate(FlywayException failure) {
    SQLException sql = SqlFailures.find(SQLException.class, failure);
    if (sql == null) {
      return new IllegalStateException(
          failure.getErrorCode() == CoreErrorCode.NON_EMPTY_SCHEMA_WITHOUT_SCHEMA_HISTORY_TABLE
              ? "it contains tables of other programs; the vault requires a separate database"
              : "the schema cannot be migrated: " + failure.getErrorCode());
    }
    return SqlFailures.INSUFFICIENT_PRIVILEGE.equals(sql.getSQLState())
        ? new IllegalStateException("its owner cannot create or change the vault's tables")
        : SqlFailures.translate(failure);
  }

  /** Grants the rights if the schema needs no migration; returns whether it needs none. */
  private boolean grantIfComplete(Handle handle) {
    boolean complete = SchemaHistory.isComplete(handle, NEEDED_VERSION);
    if (complete) {
      grant(handle);
    }
    return complete;
  }

  /**
   * Grants the runtime role its rights on a schema that serves this node. A lock keeps nodes from
   * changing them at the same time, which PostgreSQL rejects.
   */
  private int grant(Handle handle) {
    SchemaContract.requireServed(handle, NEEDED_VERSION);
    handle.execute("SELECT pg_advisory_xact_lock(hashtext('token-vault grants'))");
    return handle.execute("SELECT grant_runtime(?)", connections.runtimeUser());
  }

  /**
   * Limits how long a migration waits for a lock. While it waits, later requests for a conflicting
   * lock queue behind it, even if the lock is free for them.
   */
  private static final class LockTimeouts extends BaseCallback {

    private static final String STATEMENT = "SET lock_timeout = '1s'";

    @Override
    public boolean supports(Event event, Context context) {
      // Not AFTER_CONNECT, which Flyway before version 12 lacks; frameworks manage such versions.
      return event == Event.BEFORE_EACH_MIGRATE;
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
