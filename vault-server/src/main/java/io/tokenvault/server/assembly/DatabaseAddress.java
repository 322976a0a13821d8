package io.tokenvault.server.assembly;

import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Limits;
import io.tokenvault.adapters.jdbi.stores.DatabaseSettings.Login;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.config.Configuration.Credentials;
import io.tokenvault.server.config.Configuration.Database;
import io.tokenvault.server.config.Configuration.DatabaseTimeouts;
import java.util.Optional;

/**
 * Derives the settings of the database adapter from the configuration.
 *
 * <p>An external database is used with the credentials of the operator. The embedded one generates
 * its own. Both have a runtime user and, in general, an owner that migrates the schema.
 */
final class DatabaseAddress {

  private DatabaseAddress() {}

  /**
   * Returns the address, the credentials and the time limits of the database.
   *
   * @param embedded the embedded PostgreSQL; empty exactly if the configuration names a database
   */
  static DatabaseSettings of(Configuration configuration, Optional<EmbeddedPostgres> embedded) {
    return embedded
        .map(postgres -> embedded(postgres, configuration))
        .orElseGet(() -> external(configuration.database().orElseThrow(), configuration));
  }

  private static DatabaseSettings embedded(EmbeddedPostgres postgres, Configuration configuration) {
    return new DatabaseSettings(
        postgres.jdbcUrl(),
        login(postgres.runtimeUser(), postgres.runtimePassword()),
        Optional.of(login(postgres.ownerUser(), postgres.ownerPassword())),
        configuration.databasePoolSize(),
        limits(configuration.databaseTimeouts()));
  }

  private static Login login(String user, String password) {
    return new Login(user, SensitiveValue.ofText(password));
  }

  private static DatabaseSettings external(Database database, Configuration configuration) {
    return new DatabaseSettings(
        database.url(),
        login(database.runtime()),
        database.owner().map(DatabaseAddress::login),
        configuration.databasePoolSize(),
        limits(configuration.databaseTimeouts()));
  }

  private static Limits limits(DatabaseTimeouts timeouts) {
    return new Limits(timeouts.connect(), timeouts.statement(), timeouts.pool());
  }

  private static Login login(Credentials credentials) {
    return new Login(credentials.user(), credentials.password());
  }
}
