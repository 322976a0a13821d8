package io.tokenvault.adapters.jdbi;

import io.tokenvault.domain.failure.RefusedException;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the schema to this version; any number of nodes may do so at once, and others may be at
 * work: a migration waits for a lock only as long as requests may wait behind it, and is tried
 * again.
 */
final class Migrations {

  static final String NEEDED_VERSION = "11";

  private static final int ATTEMPTS = 30;
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** How often a node asks whether another one has done its migrations, with a second between. */
  private static final int TURNS = 3600;

  private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);

  private final DatabaseSettings settings;
  private final DataSource source;

  Migrations(DatabaseSettings settings) {
    this.settings = settings;
    this.source = new Connections(settings).forMigrations();
  }

  /**
   * Migrates, then gives the runtime role its rights.
   *
   * @throws RefusedException if the database cannot be reached
   * @throws IllegalStateException if its schema is not ours or too new, or the owner lacks rights
   */
  void run() {
    run(NEEDED_VERSION);
  }

  /**
   * The same up to an earlier version, for what belongs into a schema of that version. Does nothing
   * to a schema that is further.
   */
  void run(String version) {
    if (settings.hasOneRole()) {
      LOG.warn(
          "One database role owns the tables and serves requests: who gets hold of it could remove"
              + " the audit log's protection. Give the migrations an owner of their own.");
    }
    migrate(version);
    new SchemaContract(source).requireServed(known());
    grant();
  }

  /** The newest version of the schema that this code knows. */
  static int known() {
    return Integer.parseInt(NEEDED_VERSION);
  }

  private void migrate(String version) {
    for (int left = ATTEMPTS - 1; !migrateIfFree(version, left == 0); left--) {
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
  private boolean migrateIfFree(String version, boolean last) {
    try {
      FluentConfiguration flyway =
          Flyway.configure(Migrations.class.getClassLoader())
              .dataSource(source)
              .locations("classpath:db/migration")
              .loggers("slf4j")
              .callbacks(new ShortWaits())
              .lockRetryCount(TURNS);
      if (!version.equals(NEEDED_VERSION)) {
        flyway.target(version);
      }
      flyway.load().migrate();
      return true;
    } catch (FlywayException failure) {
      if (last || !isForWantOfALock(failure)) {
        throw translate(failure);
      }
      return false;
    }
  }

  private static boolean isForWantOfALock(FlywayException failure) {
    SQLException sql = Failures.find(SQLException.class, failure);
    return sql != null && ShortWaits.LOCK_NOT_AVAILABLE.equals(sql.getSQLState());
  }

  private static RuntimeException translate(FlywayException failure) {
    return Failures.find(SQLException.class, failure) == null
        ? new IllegalStateException("the schema cannot be migrated: " + failure.getErrorCode())
        : Failures.translate(failure);
  }

  private void grant() {
    new Database(source)
        .change(
            handle -> {
              handle.execute("SELECT pg_advisory_xact_lock(hashtext('token-vault grants'))");
              return handle.execute("SELECT grant_runtime(?)", settings.runtime().user());
            });
  }
}
