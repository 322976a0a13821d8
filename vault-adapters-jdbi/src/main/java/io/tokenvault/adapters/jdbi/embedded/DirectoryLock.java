package io.tokenvault.adapters.jdbi.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A lock that lets at most one process host PostgreSQL on a data directory. The lock ends with the
 * process. A file beside it names the holder, for messages and to decide between waiting and
 * failing.
 */
final class DirectoryLock implements AutoCloseable {

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
   * Acquires the lock without waiting and records the purpose; empty if this process or another one
   * holds it.
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
    FileChannel channel = open(directory.lock());
    FileLock lock = null;
    try {
      directory.hand(directory.lock());
      lock = channel.tryLock();
      return lock == null ? Optional.empty() : Optional.of(new DirectoryLock(directory, channel));
    } finally {
      if (lock == null) {
        channel.close();
      }
    }
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(
        file,
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
        PosixFilePermissions.asFileAttribute(DataDirectory.PRIVATE_FILE));
  }

  DataDirectory directory() {
    return directory;
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
        .filter(holder -> holder.purpose() == Purpose.SERVER)
        .flatMap(holder -> ProcessHandle.of(holder.pid()))
        .filter(ProcessHandle::isAlive)
        .isPresent();
  }

  /** Returns the exception for a process that needs the directory while another one holds it. */
  static EmbeddedPostgresException refusal(DataDirectory directory) {
    return new EmbeddedPostgresException(
        "The data directory %s is in use by %s: stop it first, or choose another directory"
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
