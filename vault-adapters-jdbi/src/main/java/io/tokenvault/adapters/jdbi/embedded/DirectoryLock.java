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

/** At most one process runs PostgreSQL on a data directory; the lock ends with the process. */
final class DirectoryLock implements AutoCloseable {

  // POSIX drops a process's lock when the process closes any other channel to the same file, so one
  // JVM must never open the file twice.
  private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

  private final DataDirectory directory;
  private final FileChannel channel;

  private DirectoryLock(DataDirectory directory, FileChannel channel) {
    this.directory = directory;
    this.channel = channel;
  }

  static Optional<DirectoryLock> tryAcquire(DataDirectory directory, Holder.Purpose purpose) {
    if (!HELD_HERE.add(directory.path())) {
      return Optional.empty();
    }
    Optional<DirectoryLock> lock = Optional.empty();
    try {
      lock = tryAcquire(directory);
      if (lock.isPresent()) {
        directory.writePrivate(directory.holder(), Holder.thisProcess(purpose).text());
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
}
