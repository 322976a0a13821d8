package io.tokenvault.server.assembly;

import io.tokenvault.adapters.jdbi.DatabaseSettings;
import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import io.tokenvault.domain.secret.SensitiveValue;
import io.tokenvault.server.config.Configuration;
import java.util.Optional;

/** Where the database is and who works on it. */
final class DatabaseAddress {

  private DatabaseAddress() {}

  static DatabaseSettings of(Configuration configuration, Optional<EmbeddedPostgres> embedded) {
    return embedded
        .map(postgres -> embedded(postgres, configuration))
        .orElseGet(() -> external(configuration));
  }
}
