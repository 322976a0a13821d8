package io.tokenvault.server.process;

import io.tokenvault.adapters.jdbi.embedded.EmbeddedPostgres;
import io.tokenvault.server.place.FreshPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;

/** A database that is killed while others work with it, and asked past all of them. */
interface DatabaseUnderTest extends AutoCloseable {

  String jdbcUrl();

  String runtimeUser();

  String runtimePassword();

  String ownerUser();

  String ownerPassword();

  @Override
  void close();

  default long number(String query) {
    try (Connection connection =
            DriverManager.getConnection(jdbcUrl(), ownerUser(), ownerPassword());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /** By the database's clock. */
  default Instant time() {
    return Instant.ofEpochMilli(
        number("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"));
  }

  default boolean answers() {
    try {
      return number("SELECT 1") == 1;
    } catch (IllegalStateException away) {
      return false;
    }
  }

  /** The one that comes with the vault, hosted by this JVM, which starts it again. */
  static Embedded embedded(Path directory) {
    return new Embedded(directory, FreshPostgres.in(directory));
  }

  /** The same with its programs elsewhere. */
  static Embedded embedded(Path directory, Path programs) {
    return new Embedded(directory, EmbeddedPostgres.start(directory, programs, new SecureRandom()));
  }

  /** See {@link #embedded}. */
  record Embedded(Path directory, EmbeddedPostgres postgres) implements DatabaseUnderTest {

    /** {@code kill -9} of the process that all others of it belong to. */
    void kill() {
      try {
        Path file = directory.resolve("postgres").resolve("postmaster.pid");
        long pid = Long.parseLong(Files.readAllLines(file).get(0));
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }

    @Override
    public String jdbcUrl() {
      return postgres.jdbcUrl();
    }

    @Override
    public String runtimeUser() {
      return postgres.runtimeUser();
    }

    @Override
    public String runtimePassword() {
      return postgres.runtimePassword();
    }

    @Override
    public String ownerUser() {
      return postgres.ownerUser();
    }

    @Override
    public String ownerPassword() {
      return postgres.ownerPassword();
    }

    @Override
    public void close() {
      postgres.close();
    }
  }
}
