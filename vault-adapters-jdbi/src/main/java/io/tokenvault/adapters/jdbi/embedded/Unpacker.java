package io.tokenvault.adapters.jdbi.embedded;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/** Writes a tar archive's folders, files and links below one folder. */
final class Unpacker {

  private static final int OWNER_MAY_EXECUTE = 0100;

  private final Path top;

  Unpacker(Path top) {
    this.top = top;
  }

  void unpack(TarArchiveInputStream archive) throws IOException {
    for (TarArchiveEntry entry = archive.getNextEntry();
        entry != null;
        entry = archive.getNextEntry()) {
      if (isNeeded(entry.getName())) {
        unpack(entry, archive);
      }
    }
  }

  // Static libraries and build files serve compilers only.
  private static boolean isNeeded(String name) {
    return !name.endsWith(".a") && !name.contains("/pgxs/") && !name.contains("/pkgconfig/");
  }

  private void unpack(TarArchiveEntry entry, TarArchiveInputStream archive) throws IOException {
    Path target = target(entry);
    if (entry.isDirectory()) {
      Files.createDirectories(target);
      permit(target, true);
    } else if (entry.isSymbolicLink()) {
      Files.createDirectories(target.getParent());
      Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
    } else {
      Files.createDirectories(target.getParent());
      Files.copy(archive, target);
      permit(target, (entry.getMode() & OWNER_MAY_EXECUTE) != 0);
      force(target);
    }
  }

  private Path target(TarArchiveEntry entry) throws IOException {
    Path target = top.resolve(entry.getName()).normalize();
    if (!target.startsWith(top)) {
      throw new IOException("The archive of PostgreSQL leaves its folder: " + entry.getName());
    }
    return target;
  }

  // Everybody may read: PostgreSQL may run as a user of its own.
  private static void permit(Path file, boolean executable) throws IOException {
    String permissions = executable ? "rwxr-xr-x" : "rw-r--r--";
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  // Otherwise a power failure after the rename could leave empty programs under the final name.
  private static void force(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }
}
