package io.tokenvault.server.crypto;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/** A file that only its owner may read and write, from its first moment on. */
final class OwnerOnlyFile {

  private static final Set<PosixFilePermission> OWNER =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private final Path file;

  OwnerOnlyFile(Path file) {
    this.file = file;
  }

  /**
   * Writes a new file. It appears with all of its content or not at all, and never in the place of
   * another.
   *
   * @throws KeysetFileException if the file exists, or cannot be written
   */
  void create(byte[] content) {
    Path directory = file.toAbsolutePath().getParent();
    try {
      Path draft = Files.createTempFile(directory, ".keyset-", ".tmp", ownerOnly());
      try {
        write(draft, content);
        Files.createLink(file, draft);
      } finally {
        Files.delete(draft);
      }
      force(directory);
    } catch (FileAlreadyExistsException e) {
      throw new KeysetFileException(file, "exists already and is not overwritten");
    } catch (IOException | UnsupportedOperationException e) {
      throw new KeysetFileException(file, "cannot be written: " + reason(e));
    }
  }

  private static FileAttribute<Set<PosixFilePermission>> ownerOnly() {
    return PosixFilePermissions.asFileAttribute(OWNER);
  }

  private static void write(Path draft, byte[] content) throws IOException {
    try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
      ByteBuffer rest = ByteBuffer.wrap(content);
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
      channel.force(true);
    }
  }

  /** Makes the new name durable too. */
  private static void force(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /**
   * @throws KeysetFileException if the file is missing, not a file, longer than the limit, or open
   *     to others
   */
  byte[] read(int maxBytes) {
    try {
      requireOwnerOnly();
      if (!Files.isRegularFile(file) || Files.size(file) > maxBytes) {
        throw new KeysetFileException(file, "is not a master keyset file");
      }
      return Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new KeysetFileException(file, "does not exist");
    } catch (IOException | UnsupportedOperationException e) {
      throw new KeysetFileException(file, "cannot be read: " + reason(e));
    }
  }

  private void requireOwnerOnly() throws IOException {
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
    boolean others = permissions.stream().anyMatch(each -> !each.name().startsWith("OWNER_"));
    if (others) {
      throw new KeysetFileException(file, "is open to group or others; run: chmod 600 " + file);
    }
  }

  private static String reason(Exception e) {
    boolean told = e instanceof FileSystemException problem && problem.getReason() != null;
    return told ? ((FileSystemException) e).getReason() : e.getClass().getSimpleName();
  }
}
