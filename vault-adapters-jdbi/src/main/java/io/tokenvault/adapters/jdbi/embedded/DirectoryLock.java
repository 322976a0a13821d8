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
 * Lets at most one process run PostgreSQL on a data directory; the lock ends with the process. A
 * note beside it says who holds it, for messages and for the choice between waiting and refusing.
 */
final class DirectoryLock implements AutoCloseable {

  /** Why a directory is held: a server stays, a command ends soon. */
  enum Purpose {
    SERVER,
    COMMAND
  }

  // POSIX drops a process's lock when the process closes any other channel to the same file, so one
  // JVM must never open the file twice.
  private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

  private final DataDirectory directory;
  private final FileChannel channel;

  private DirectoryLock(DataDirectory directory, FileChannel channel) {
    this.directory = directory;
    this.channel = channel;
  }

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

  /** Whether a server that runs holds the directory. */
  static boolean isHeldByServer(DataDirectory directory) {
    return holder(directory)
        .filter(holder -> holder.purpose() == Purpose.SERVER)
        .flatMap(holder -> ProcessHandle.of(holder.pid()))
        .filter(ProcessHandle::isAlive)
        .isPresent();
  }

  /** Returns the failure of one who wanted the directory while another process holds it. */
  static EmbeddedPostgresException refusal(DataDirectory directory) {
    return new EmbeddedPostgresException(
        "The data directory %s is in use by %s: stop it first, or choose another directory"
            .formatted(
                directory,
                holder(directory)
                    .map(holder -> "process " + holder.pid())
                    .orElse("another process")));
  }

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
