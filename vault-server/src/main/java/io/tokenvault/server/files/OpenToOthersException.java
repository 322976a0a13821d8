package io.tokenvault.server.files;

import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** A file system gives group or others a right to each of its files, such as FAT does. */
public final class OpenToOthersException extends FileSystemException {

  private static final long serialVersionUID = 1L;

  OpenToOthersException(Path file) {
    super(file.toString(), null, "its file system gives group or others a right to every file");
  }
}
