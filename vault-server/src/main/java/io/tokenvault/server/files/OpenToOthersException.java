package io.tokenvault.server.files;

import java.nio.file.FileSystemException;
import java.nio.file.Path;

/**
 * Reports a file system, such as FAT, that gives group or others a permission on each of its files.
 */
public final class OpenToOthersException extends FileSystemException {

  private static final long serialVersionUID = 1L;

  OpenToOthersException(Path file) {
    super(file.toString(), null, "its file system gives group or others a right to every file");
  }
}
