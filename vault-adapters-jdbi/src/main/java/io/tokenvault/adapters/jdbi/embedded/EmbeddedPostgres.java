package io.tokenvault.adapters.jdbi.embedded;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A PostgreSQL that needs no setup: it keeps its data in a directory, listens on the loopback
 * interface only, and ends with this JVM, however that ends.
 *
 * <p>One process hosts the server of a data directory; others may join it as guests. Instances are
 * safe for use by many threads. All failures are {@link EmbeddedPostgresException}s.
 */
public final class EmbeddedPostgres implements AutoCloseable {

  private final Endpoint endpoint;
  private final Runnable ending;
  private final AtomicBoolean closed = new AtomicBoolean();

  private EmbeddedPostgres(Endpoint endpoint, Runnable ending) {
    this.endpoint = endpoint;
    this.ending = ending;
  }

  /** As {@link #start(Path, Path, SecureRandom)}, with the programs in the data directory too. */
  public static EmbeddedPostgres start(Path dataDirectory, SecureRandom random) {
    return start(dataDirectory, dataDirectory, random);
  }

  /**
   * Hosts the server; makes the directory, the database and its two roles at the first start.
   * Refused if another server hosts this directory; waits up to 30 seconds for a command that does.
   *
   * @param programs where PostgreSQL's programs are unpacked unless they are there already; any
   *     number of data directories and processes may share it
   */
  public static EmbeddedPostgres start(Path dataDirectory, Path programs, SecureRandom random) {
    return of(
        new Entrance(DataDirectory.prepare(dataDirectory)).asServer(absolute(programs), random));
  }

  /**
   * As {@link #startOrAttach(Path, Path, SecureRandom)}, with the programs in the data directory.
   */
  public static EmbeddedPostgres startOrAttach(Path dataDirectory, SecureRandom random) {
    return startOrAttach(dataDirectory, dataDirectory, random);
  }

  /**
   * For a command that ends soon: joins the server that runs on this directory, or hosts one. A
   * hosting command that closes first waits up to a minute for those that have joined it.
   */
  public static EmbeddedPostgres startOrAttach(
      Path dataDirectory, Path programs, SecureRandom random) {
    return new Entrance(DataDirectory.prepare(dataDirectory)).asCommand(absolute(programs), random);
  }

  /** Joins the server that runs on this directory; empty if none accepts connections. */
  public static Optional<EmbeddedPostgres> attach(Path dataDirectory) {
    return DataDirectory.existing(dataDirectory).map(Entrance::new).flatMap(Entrance::asGuest);
  }

  private static Path absolute(Path path) {
    return path.toAbsolutePath().normalize();
  }

  static EmbeddedPostgres of(Host host) {
    return new EmbeddedPostgres(host.endpoint(), host::close);
  }

  static EmbeddedPostgres of(Endpoint endpoint, Lease lease) {
    return new EmbeddedPostgres(endpoint, lease::close);
  }

  public String jdbcUrl() {
    return endpoint.jdbcUrl();
  }

  /** A superuser: for migrations, and for nothing that a request can reach. */
  public String ownerUser() {
    return Role.VAULT_OWNER.user();
  }

  public String ownerPassword() {
    return endpoint.passwordOf(Role.VAULT_OWNER);
  }

  /** May connect; what else it may, the migrations grant. */
  public String runtimeUser() {
    return Role.VAULT_RUNTIME.user();
  }

  public String runtimePassword() {
    return endpoint.passwordOf(Role.VAULT_RUNTIME);
  }

  /**
   * A guest leaves. A host waits for its guests (a server at most 5 seconds), ends all sessions and
   * stops the server; close connection pools before. Closing again does nothing.
   */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      ending.run();
    }
  }

  @Override
  public String toString() {
    return "EmbeddedPostgres[" + endpoint + "]";
  }
}
