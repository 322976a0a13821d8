package io.tokenvault.adapters.jdbi.embedded;

import java.nio.file.Path;

/**
 * A data directory of a server that was started and stopped, shared by the tests of a JVM to save
 * the time of initdb.
 */
final class InitializedDirectory {

  private static final Path DIRECTORY =
      TestPostgres.PROGRAMS.resolve(
          "used-once-by-" + System.getProperty("vault.test.fork", "fork-1"));

  static {
    try {
      DataDirectory.delete(DIRECTORY);
      try (EmbeddedPostgres postgres = TestPostgres.start(DIRECTORY)) {
        Sql.asOwner(postgres, "create table kept as select 'yes' as answer");
      }
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private InitializedDirectory() {}

  /** Returns the directory; a test that changes its files must restore them. */
  static Path path() {
    return DIRECTORY;
  }
}
