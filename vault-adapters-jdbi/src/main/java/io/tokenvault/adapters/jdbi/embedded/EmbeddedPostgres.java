package io.tokenvault.adapters.jdbi.embedded;

import io.tokenvault.adapters.jdbi.embedded.PostgresCluster.PostmasterFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

  private static final Duration WAIT_FOR_COMMAND = Duration.ofSeconds(30);
  private static final Duration WAIT_FOR_START = Duration.ofMinutes(2);
  private static final Duration SERVER_WAIT_FOR_GUESTS = Duration.ofSeconds(5);
  private static final Duration COMMAND_WAIT_FOR_GUESTS = Duration.ofSeconds(60);

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
    Deadline deadline = Deadline.in(WAIT_FOR_COMMAND);
    Optional<DirectoryLock> lock =
        DirectoryLock.tryAcquire(directory, DirectoryLock.Purpose.SERVER);
    while (lock.isEmpty()) {
      if (deadline.passed() || DirectoryLock.isHeldByServer(directory)) {
        throw DirectoryLock.refusal(directory);
      }
      deadline.pause();
      lock = DirectoryLock.tryAcquire(directory, DirectoryLock.Purpose.SERVER);
    }
    return host(lock.get(), programs, random, SERVER_WAIT_FOR_GUESTS);
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
    Deadline deadline = Deadline.in(WAIT_FOR_START);
    // Another host may still be starting, or be about to stop.
    for (; ; deadline.pause()) {
      Optional<DirectoryLock> lock =
          DirectoryLock.tryAcquire(directory, DirectoryLock.Purpose.COMMAND);
      if (lock.isPresent()) {
        return host(lock.get(), programs, random, COMMAND_WAIT_FOR_GUESTS);
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
          .claimShared()
          .map(claim -> new EmbeddedPostgres(endpoint, () -> ServerEndpoint.release(claim)));
    } catch (IOException e) {
      throw EmbeddedPostgresException.of(directory.path(), e);
    }
  }

  /** Starts the server under a lock, which is released when the server stops or fails to start. */
  private static EmbeddedPostgres host(
      DirectoryLock lock, Path programs, SecureRandom random, Duration guestTimeout) {
    Path folder = programs.toAbsolutePath().normalize();
    try {
      PostgresServer server =
          PostgresServer.start(lock.directory, folder, random, PostgresServer.FIXED_SETTINGS);
      return new EmbeddedPostgres(server.endpoint(), () -> stop(server, lock, guestTimeout));
    } catch (IOException e) {
      lock.close();
      throw EmbeddedPostgresException.of(lock.directory.path(), e);
    } catch (RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  /** Waits for guests, stops the server, and releases the lock whatever happens. */
  private static void stop(PostgresServer server, DirectoryLock lock, Duration timeout) {
    Optional<Connection> claim = Optional.empty();
    try (lock) {
      try {
        claim = server.endpoint().claimExclusively(timeout);
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

  /**
   * A lock that lets at most one process host PostgreSQL on a data directory. The lock ends with
   * the process. A file beside it names the holder, for messages and to decide between waiting and
   * failing.
   */
  private static final class DirectoryLock implements AutoCloseable {

    /** Purpose of the holder: a server runs for long, a command ends soon. */
    enum Purpose {
      SERVER,
      COMMAND
    }

    // POSIX releases a process's lock when the process closes any other channel to the file, so one
    // JVM must never open the file twice.
    private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

    private final DataDirectory directory;
    private final FileChannel channel;

    private DirectoryLock(DataDirectory directory, FileChannel channel) {
      this.directory = directory;
      this.channel = channel;
    }

    /**
     * Acquires the lock without waiting and records the purpose; empty if this process or another
     * one holds it.
     *
     * @throws EmbeddedPostgresException if the files cannot be written
     */
    static Optional<DirectoryLock> tryAcquire(DataDirectory directory, Purpose purpose) {
      if (!HELD_HERE.add(directory.path())) {
        return Optional.empty();
      }
      Optional<DirectoryLock> lock = Optional.empty();
      try {
        lock = tryAcquire(directory);
        if (lock.isPresent()) {
          String note = purpose + " " + ProcessHandle.current().pid() + "\n";
          directory.writePrivate(directory.holder(), note);
        }
        return lock;
      } catch (IOException e) {
        lock.ifPresent(DirectoryLock::close);
        lock = Optional.empty();
        throw EmbeddedPostgresException.of(directory.path(), e);
      } finally {
        if (lock.isEmpty()) {
          HELD_HERE.remove(directory.path());
        }
      }
    }

    /** Locks the file. Closes its channel unless the lock was acquired. */
    private static Optional<DirectoryLock> tryAcquire(DataDirectory directory) throws IOException {
      FileChannel channel =
          FileChannel.open(
              directory.lock(),
              Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
              PosixFilePermissions.asFileAttribute(DataDirectory.PRIVATE_FILE));
      FileLock lock = null;
      try {
        directory.giveToOwner(directory.lock());
        lock = channel.tryLock();
        return lock == null ? Optional.empty() : Optional.of(new DirectoryLock(directory, channel));
      } finally {
        if (lock == null) {
          channel.close();
        }
      }
    }

    /** Removes the holder's file and releases the lock. */
    @Override
    public void close() {
      try (channel) {
        Files.deleteIfExists(directory.holder());
      } catch (IOException e) {
        throw EmbeddedPostgresException.of(directory.path(), e);
      } finally {
        HELD_HERE.remove(directory.path());
      }
    }

    /** Returns whether the holder is a server whose process is alive. */
    static boolean isHeldByServer(DataDirectory directory) {
      return holder(directory)
          .filter(holder -> holder.purpose() == DirectoryLock.Purpose.SERVER)
          .flatMap(holder -> ProcessHandle.of(holder.pid()))
          .filter(ProcessHandle::isAlive)
          .isPresent();
    }

    /** Returns the exception for a process that needs the directory while another one holds it. */
    static EmbeddedPostgresException refusal(DataDirectory directory) {
      return new EmbeddedPostgresException(
          "The data directory %s is in use by %s: stop that process, or choose another directory"
              .formatted(
                  directory,
                  holder(directory)
                      .map(holder -> "process " + holder.pid())
                      .orElse("another process")));
    }

    /** Reads the holder's file; empty if it is missing or damaged. */
    private static Optional<Holder> holder(DataDirectory directory) {
      try {
        String[] words = Files.readString(directory.holder()).trim().split(" ");
        return Optional.of(new Holder(Purpose.valueOf(words[0]), Long.parseLong(words[1])));
      } catch (IOException | IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
        return Optional.empty();
      }
    }

    private record Holder(Purpose purpose, long pid) {}
  }
}
