package io.tokenvault.adapters.jdbi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.tokenvault.adapters.jdbi.schema.DatabaseContact;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The second run of this module's tests of statements, on the oldest PostgreSQL that is served. */
@Tag("long")
final class OldestPostgresTest {

  @Test
  void thePostgresOfThisRunIsTheOldestOneThatIsServed() {
    assumeThat(System.getProperty(TestDatabase.OTHER_VERSION)).isNotNull();

    assertThat(
            TestDatabase.empty()
                .asOwner("SELECT current_setting('server_version_num')::integer / 10000"))
        .containsExactly(String.valueOf(DatabaseContact.OLDEST_VERSION));
  }
}
