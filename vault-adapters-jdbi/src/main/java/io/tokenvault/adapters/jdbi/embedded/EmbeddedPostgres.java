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
 * A PostgreSQL that needs no setup: it keeps its data in a directory, listens on the loopback
 * interface only, and ends with this JVM, however that ends.
 *
 * <p>One process hosts the server of a data directory; others may join it as guests. Instances are
 * safe for use by many threads. All failures are {@link EmbeddedPostgresException}s.
 */
public final class EmbeddedPostgres implements AutoCloseable {

  private static final Duration PATIENCE_WITH_COMMANDS = Duration.ofSeconds(30);
  private static final Duration PATIENCE_WITH_STARTS = Duration.ofMinutes(2);
  private static final Duration SERVER_WAITS_FOR_GUESTS = Duration.ofSeconds(5);
  private static final Duration COMMAND_WAITS_FOR_GUESTS = Duration.ofSeconds(60);

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
   * Hosts the server; creates the directory, the database and its two roles at the first start.
   * Refused if another server hosts this directory; waits up to 30 seconds for a command that does.
   *
   * @param programs where PostgreSQL's programs are unpacked unless they are there already; any
   *     number of data directories and processes may share it
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

  private static Optional<EmbeddedPostgres> join(DataDirectory directory) {
    try {
      Optional<PostmasterFile> ready =
          PostmasterFile.read(directory.cluster()).filter(PostmasterFile::isReady);
      if (ready.isEmpty() || !directory.hasPasswords()) {
        return Optional.empty();
      }
      Endpoint endpoint = new Endpoint(ready.get().port(), directory);
      return endpoint
          .claimAsGuest()
          .map(claim -> new EmbeddedPostgres(endpoint, () -> Endpoint.release(claim)));
    } catch (IOException e) {
      throw EmbeddedPostgresException.of(directory.path(), e);
    }
  }

  /** Takes the lock over: it ends with the server, or at once if the server does not start. */
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

  private static void stop(PostgresServer server, DirectoryLock lock, Duration patience) {
    Optional<Connection> claim = Optional.empty();
    try (lock) {
      try {
        claim = server.endpoint().claimAlone(patience);
      } finally {
        server.stop();
      }
    } finally {
      claim.ifPresent(Endpoint::release);
    }
  }

  public String jdbcUrl() {
    return endpoint.jdbcUrl();
  }

  /** Returns the name of a superuser: for migrations, and for nothing that a request can reach. */
  public String ownerUser() {
    return Endpoint.OWNER;
  }

  public String ownerPassword() {
    return endpoint.ownerPassword();
  }

  /** Returns the name of a role that may connect; the migrations grant it more. */
  public String runtimeUser() {
    return Endpoint.RUNTIME;
  }

  public String runtimePassword() {
    return endpoint.runtimePassword();
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
