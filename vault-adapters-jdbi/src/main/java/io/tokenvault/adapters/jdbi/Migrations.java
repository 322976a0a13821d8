package io.tokenvault.adapters.jdbi;

import io.tokenvault.domain.failure.RefusedException;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the schema to this version; any number of nodes may do so at once. */
final class Migrations {

  static final String NEEDED_VERSION = "7";

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
   * @throws IllegalStateException if its schema is not ours, or the owner lacks rights
   */
  void run() {
    if (settings.hasOneRole()) {
      LOG.warn(
          "One database role owns the tables and serves requests: who gets hold of it could remove"
              + " the audit log's protection. Give the migrations an owner of their own.");
    }
    migrate();
    grant();
  }

  private void migrate() {
    try {
      Flyway.configure(Migrations.class.getClassLoader())
          .dataSource(source)
          .locations("classpath:db/migration")
          .loggers("slf4j")
          .load()
          .migrate();
    } catch (FlywayException failure) {
      throw translate(failure);
    }
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
