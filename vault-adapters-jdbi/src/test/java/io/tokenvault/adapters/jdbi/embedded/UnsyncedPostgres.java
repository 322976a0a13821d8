package io.tokenvault.adapters.jdbi.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;

/** An embedded PostgreSQL that does not wait for the disk, for tests that need no durability. */
public final class UnsyncedPostgres implements AutoCloseable {

  private static final List<String> UNSYNCED = List.of("fsync=off", "full_page_writes=off");

  private final PostgresServer server;

  private UnsyncedPostgres(PostgresServer server) {
    this.server = server;
  }

  /** Starts a server in a directory that no other process uses. */
  public static UnsyncedPostgres start(Path path, Path programs) {
    // PostgreSQL uses the last value of a setting.
    List<String> settings = new ArrayList<>(PostgresServer.FIXED_SETTINGS);
    settings.addAll(UNSYNCED);
    DataDirectory directory = DataDirectory.prepare(path);
    try {
      Files.createFile(directory.lock());
      Files.createFile(directory.holder());
      return new UnsyncedPostgres(
          PostgresServer.start(directory, programs, new SecureRandom(), settings));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  public String jdbcUrl() {
    return server.endpoint().jdbcUrl();
  }

  public String ownerPassword() {
    return server.endpoint().ownerPassword();
  }

  public String runtimePassword() {
    return server.endpoint().runtimePassword();
  }

  @Override
  public void close() {
    server.stop();
  }
}
