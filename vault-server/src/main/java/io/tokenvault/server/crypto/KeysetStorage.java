package io.tokenvault.server.crypto;

import io.tokenvault.server.files.OwnerOnlyFile;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Reads and writes the bytes of a keyset file, and explains failures to the operator.
 *
 * <p>The file is accepted only if neither its group nor others have a permission on it.
 */
final class KeysetStorage {

  private static final int MAX_FILE_BYTES = 1 << 20;

  private final Path path;
  private final OwnerOnlyFile file;

  KeysetStorage(Path path) {
    this.path = path;
    this.file = new OwnerOnlyFile(path);
  }

  /**
   * Creates the file.
   *
   * @throws KeysetFileException if the file exists or cannot be written
   */
  void create(byte[] content) {
    try {
      file.create(content);
    } catch (FileAlreadyExistsException e) {
      throw new KeysetFileException(path, "exists already and is not overwritten");
    } catch (IOException | UnsupportedOperationException e) {
      throw new KeysetFileException(path, "cannot be written: " + reason(e));
    }
  }

  /**
   * Replaces the file atomically.
   *
   * @throws KeysetFileException if the file cannot be written
   */
  void replace(byte[] content) {
    try {
      file.replace(content);
    } catch (IOException | UnsupportedOperationException e) {
      throw new KeysetFileException(path, "cannot be written: " + reason(e));
    }
  }

  /**
   * Returns the content of the file, at most 1 MiB.
   *
   * @throws KeysetFileException if the file is missing, not a regular file, too long, or accessible
   *     to group or others
   */
  byte[] read() {
    try {
      if (file.isOpenToOthers()) {
        throw new KeysetFileException(path, "is open to group or others; run: chmod 600 " + path);
      }
      if (!Files.isRegularFile(path) || Files.size(path) > MAX_FILE_BYTES) {
        throw new KeysetFileException(path, "is not a master keyset file");
      }
      return Files.readAllBytes(path);
    } catch (NoSuchFileException e) {
      throw new KeysetFileException(path, "does not exist");
    } catch (IOException | UnsupportedOperationException e) {
      throw new KeysetFileException(path, "cannot be read: " + reason(e));
    }
  }

  /** Returns the reason without the path, which the message has already. */
  private static String reason(Exception e) {
    return e instanceof FileSystemException problem && problem.getReason() != null
        ? problem.getReason()
        : e.getClass().getSimpleName();
  }
}
