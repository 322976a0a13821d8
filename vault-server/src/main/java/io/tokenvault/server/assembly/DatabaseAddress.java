package io.tokenvault.server.assembly;

import io.tokenvault.adapters.jdbi.DatabaseSettings;
import io.tokenvault.adapters.jdbi.DatabaseSettings.Limits;
import io.tokenvault.adapters.jdbi.DatabaseSettings.Login;
import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.server.config.Configuration;
import io.tokenvault.server.config.Configuration.Credentials;
import io.tokenvault.server.config.Configuration.Database;
import java.util.Optional;

/** Where the database is and who works on it. */
final class DatabaseAddress {

  private DatabaseAddress() {}

  static DatabaseSettings of(Configuration configuration, Optional<EmbeddedPostgres> embedded) {
    return embedded
        .map(postgres -> embedded(postgres, configuration.databasePoolSize()))
        .orElseGet(
            () ->
                external(configuration.database().orElseThrow(), configuration.databasePoolSize()));
  }

  private static DatabaseSettings embedded(EmbeddedPostgres postgres, int poolSize) {
    return new DatabaseSettings(
        postgres.jdbcUrl(),
        login(postgres.runtimeUser(), postgres.runtimePassword()),
        Optional.of(login(postgres.ownerUser(), postgres.ownerPassword())),
        poolSize,
        Limits.DEFAULT);
  }

  private static Login login(String user, String password) {
    return new Login(user, SensitiveValue.ofText(password));
  }

  private static DatabaseSettings external(Database database, int poolSize) {
    return new DatabaseSettings(
        database.url(),
        login(database.runtime()),
        database.owner().map(DatabaseAddress::login),
        poolSize,
        Limits.DEFAULT);
  }

  private static Login login(Credentials credentials) {
    return new Login(credentials.user(), credentials.password());
  }
}
