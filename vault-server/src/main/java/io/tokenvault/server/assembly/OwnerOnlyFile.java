package io.tokenvault.server.assembly;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Writes a file that only its owner can read, from its first byte on. */
final class OwnerOnlyFile {

  private OwnerOnlyFile() {}

  /** Replaces the file as a whole: a reader sees all of it or what was there before. */
  static void write(Path file, String line) {
    try {
      Path draft =
          Files.createTempFile(file.toAbsolutePath().getParent(), ".draft", null, ownerOnly());
      Files.writeString(draft, line + System.lineSeparator());
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException failed) {
      throw new UncheckedIOException("Cannot write " + file, failed);
    }
  }

  private static FileAttribute<?>[] ownerOnly() {
    return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }
}
