package io.tokenvault.adapters.jdbi.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tokenvault.adapters.jdbi.TestDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Checks the PostgreSQL version in the second run of the tests, on the oldest supported one. */
@Tag("long")
final class OldestPostgresTest {

  @Test
  void postgresOfThisRunIsOldestSupportedVersion() {
    assumeTrue(
        System.getProperty(TestDatabase.ARCHIVE_PROPERTY) != null,
        "This run uses the embedded PostgreSQL: mvn verify -Plong on Linux x86-64 has a second run,"
            + " which downloads the oldest supported version and sets -Dvault.test.postgres");

    assertThat(
            TestDatabase.empty()
                .asOwner("SELECT current_setting('server_version_num')::integer / 10000"))
        .containsExactly(String.valueOf(DatabaseContact.OLDEST_VERSION));
  }
}
