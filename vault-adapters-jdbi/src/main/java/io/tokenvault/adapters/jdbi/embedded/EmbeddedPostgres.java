package io.tokenvault.adapters.jdbi.embedded;

import io.tokenvault.adapters.jdbi.embedded.DirectoryLock.Purpose;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A PostgreSQL server that needs no setup: it keeps its data in a directory, listens on the
 * loopback interface only, and ends with this JVM, even if that is killed.
 *
 * <p>One process hosts the server of a data directory; others may join it as guests. Instances are
 * safe for use by many threads. All failures are {@link EmbeddedPostgresException}s.
 *
 * <pre>{@code
 * try (EmbeddedPostgres postgres = EmbeddedPostgres.start(Path.of("data"), new SecureRandom())) {
 *   String url = postgres.jdbcUrl();
 * }
 * }</pre>
 */
public final class EmbeddedPostgres implements AutoCloseable {

  private static final Duration PATIENCE_WITH_COMMANDS = Duration.ofSeconds(30);
  private static final Duration PATIENCE_WITH_STARTS = Duration.ofMinutes(2);
  private static final Duration SERVER_WAITS_FOR_GUESTS = Duration.ofSeconds(5);
  private static final Duration COMMAND_WAITS_FOR_GUESTS = Duration.ofSeconds(60);

  private final ServerEndpoint endpoint;
  private final Runnable ending;
  private final AtomicBoolean closed = new AtomicBoolean();

  private EmbeddedPostgres(ServerEndpoint endpoint, Runnable ending) {
    this.endpoint = endpoint;
    this.ending = ending;
  }

  /**
   * Hosts the server as {@link #start(Path, Path, SecureRandom)} does, with the programs unpacked
   * into the data directory.
   */
  public static EmbeddedPostgres start(Path dataDirectory, SecureRandom random) {
    return start(dataDirectory, dataDirectory, random);
  }

  /**
   * Hosts the server. The first start creates the directory, the database and its two roles. Waits
   * up to 30 seconds for a command that hosts the directory.
   *
   * @param dataDirectory the directory of all data, private to its owner
   * @param programs the folder into which PostgreSQL's programs are unpacked unless they are there;
   *     any number of data directories and processes may share it
   * @param random the source of the roles' passwords
   * @throws EmbeddedPostgresException if another server hosts this directory, or the server cannot
   *     start
   */
  public static EmbeddedPostgres start(Path dataDirectory, Path programs, SecureRandom random) {
    DataDirectory directory = DataDirectory.prepare(dataDirectory);
    Deadline deadline = Deadline.in(PATIENCE_WITH_COMMANDS);
    Optional<DirectoryLock> lock = DirectoryLock.tryAcquire(directory, Purpose.SERVER);
    while (lock.isEmpty()) {
      if (deadline.passed() || DirectoryLock.isHeldByServer(directory)) {
        throw DirectoryLock.refusal(directory);
      }
      deadline.pause();
      lock = DirectoryLock.tryAcquire(directory, Purpose.SERVER);
    }
    return host(lock.get(), programs, random, SERVER_WAITS_FOR_GUESTS);
  }

  /**
   * Joins or hosts the server as {@link #startOrAttach(Path, Path, SecureRandom)} does, with the
   * programs unpacked into the data directory.
   */
  public static EmbeddedPostgres startOrAttach(Path dataDirectory, SecureRandom random) {
    return startOrAttach(dataDirectory, dataDirectory, random);
  }

  /**
   * Joins the server that runs on this directory, or hosts one, for a command that ends soon. A
   * command that hosts the server waits up to a minute for its guests when it closes.
   *
   * @param dataDirectory the directory of all data
   * @param programs the folder of PostgreSQL's programs
   * @param random the source of the roles' passwords
   * @throws EmbeddedPostgresException if neither succeeds within two minutes
   */
  public static EmbeddedPostgres startOrAttach(
      Path dataDirectory, Path programs, SecureRandom random) {
    DataDirectory directory = DataDirectory.prepare(dataDirectory);
    Deadline deadline = Deadline.in(PATIENCE_WITH_STARTS);
    // Another host may still be starting, or be about to stop.
    for (; ; deadline.pause()) {
      Optional<DirectoryLock> lock = DirectoryLock.tryAcquire(directory, Purpose.COMMAND);
      if (lock.isPresent()) {
        return host(lock.get(), programs, random, COMMAND_WAITS_FOR_GUESTS);
      }
      Optional<EmbeddedPostgres> running = join(directory);
      if (running.isPresent()) {
        return running.get();
      }
      if (deadline.passed()) {
        throw DirectoryLock.refusal(directory);
      }
    }
  }

  /** Joins the server that runs on this directory; empty if none accepts connections. */
  public static Optional<EmbeddedPostgres> attach(Path dataDirectory) {
    return DataDirectory.existing(dataDirectory).flatMap(EmbeddedPostgres::join);
  }

  /** Joins the server if its files say that it is ready, and it admits a guest. */
  private static Optional<EmbeddedPostgres> join(DataDirectory directory) {
    try {
      Optional<PostmasterFile> ready =
          PostmasterFile.read(directory.cluster()).filter(PostmasterFile::isReady);
      if (ready.isEmpty() || !directory.hasPasswords()) {
        return Optional.empty();
      }
      ServerEndpoint endpoint = new ServerEndpoint(ready.get().port(), directory);
      return endpoint
          .claimAsGuest()
          .map(claim -> new EmbeddedPostgres(endpoint, () -> ServerEndpoint.release(claim)));
    } catch (IOException e) {
      throw EmbeddedPostgresException.of(directory.path(), e);
    }
  }

  /** Starts the server under a lock, which is released when the server stops or fails to start. */
  private static EmbeddedPostgres host(
      DirectoryLock lock, Path programs, SecureRandom random, Duration patienceWithGuests) {
    Path folder = programs.toAbsolutePath().normalize();
    try {
      PostgresServer server = PostgresServer.start(lock.directory(), folder, random);
      return new EmbeddedPostgres(server.endpoint(), () -> stop(server, lock, patienceWithGuests));
    } catch (IOException e) {
      lock.close();
      throw EmbeddedPostgresException.of(lock.directory().path(), e);
    } catch (RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  /** Waits for guests, stops the server, and releases the lock whatever happens. */
  private static void stop(PostgresServer server, DirectoryLock lock, Duration patience) {
    Optional<Connection> claim = Optional.empty();
    try (lock) {
      try {
        claim = server.endpoint().claimAlone(patience);
      } finally {
        server.stop();
      }
    } finally {
      claim.ifPresent(ServerEndpoint::release);
    }
  }

  /** Returns the URL of the vault's database, without credentials. */
  public String jdbcUrl() {
    return endpoint.jdbcUrl();
  }

  /**
   * Returns the name of a superuser. Use it for migrations, never in code that a request can reach.
   */
  public String ownerUser() {
    return ServerEndpoint.OWNER;
  }

  public String ownerPassword() {
    return endpoint.ownerPassword();
  }

  /**
   * Returns the name of the role that serves requests. It may connect; the migrations grant its
   * other rights.
   */
  public String runtimeUser() {
    return ServerEndpoint.RUNTIME;
  }

  public String runtimePassword() {
    return endpoint.runtimePassword();
  }

  /**
   * Leaves the server. A guest disconnects; a host waits for its guests (a server at most 5
   * seconds), ends all sessions and stops the server. Close connection pools first. Closing again
   * does nothing.
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
