package io.tokenvault.adapters.jdbi.embedded;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * The programs of PostgreSQL, unpacked from the class path into a folder named by their version.
 */
final class Binaries {

  static final String MAJOR_VERSION = "18";
  static final String VERSION = "18.6";

  private static final String DRAFT = ".unpacking-";
  private static final int OWNER_MAY_EXECUTE = 0100;

  private final Path folder;

  private Binaries(Path folder) {
    this.folder = folder;
  }

  /** Processes may do this at once: each unpacks for itself, the first one's folder stays. */
  static Binaries in(Path parent) throws IOException {
    String platform = platform();
    Path folder = parent.resolve("postgres-" + VERSION + "-" + platform);
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(parent);
      unpack(platform, folder);
    }
    return new Binaries(folder.toRealPath());
  }

  String postgres() {
    return program("postgres");
  }

  String initdb() {
    return program("initdb");
  }

  private String program(String name) {
    return folder.resolve("bin").resolve(name).toString();
  }

  /** Returns the operating system and processor, as the packaged binaries are named. */
  static String platform() {
    String system =
        switch (System.getProperty("os.name")) {
          case "Linux" -> "linux";
          case "Mac OS X" -> "darwin";
          default -> throw unsupported(System.getProperty("os.name"));
        };
    String processor =
        switch (System.getProperty("os.arch").toLowerCase(Locale.ROOT)) {
          case "amd64", "x86_64" -> "x86_64";
          case "aarch64", "arm64" -> "arm_64";
          default -> throw unsupported(System.getProperty("os.arch"));
        };
    return system + "-" + processor;
  }

  private static EmbeddedPostgresException unsupported(String what) {
    return new EmbeddedPostgresException(
        "This build has no PostgreSQL for " + what + ": use an external database instead");
  }

  private static void unpack(String platform, Path folder) throws IOException {
    Path draft = Files.createTempDirectory(folder.getParent(), DRAFT);
    try (InputStream archive =
        Binaries.class.getResourceAsStream("/postgres-" + platform + ".txz")) {
      if (archive == null) {
        throw unsupported(platform);
      }
      deleteDraftsAbandonedBefore(draft);
      InputStream unzipped = new XZInputStream(new BufferedInputStream(archive));
      unpack(new TarArchiveInputStream(unzipped), draft);
      publish(draft, folder);
    } finally {
      DataDirectory.delete(draft);
    }
  }

  private static void publish(Path draft, Path folder) throws IOException {
    permit(draft, true);
    try {
      Files.move(draft, folder, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      if (!Files.isDirectory(folder)) {
        throw e;
      }
    }
  }

  private static void deleteDraftsAbandonedBefore(Path mine) throws IOException {
    Instant old = modified(mine).minus(Duration.ofHours(1));
    try (var drafts = Files.newDirectoryStream(mine.getParent(), DRAFT + "*")) {
      for (Path draft : drafts) {
        if (modified(draft).isBefore(old)) {
          DataDirectory.delete(draft);
        }
      }
    }
  }

  private static Instant modified(Path file) throws IOException {
    return Files.getLastModifiedTime(file).toInstant();
  }

  /** Writes an archive's folders, files and links below one folder. */
  static void unpack(TarArchiveInputStream archive, Path top) throws IOException {
    for (TarArchiveEntry entry = archive.getNextEntry();
        entry != null;
        entry = archive.getNextEntry()) {
      if (isNeeded(entry.getName())) {
        unpack(entry, archive, top);
      }
    }
  }

  // Static libraries and build files serve compilers only.
  private static boolean isNeeded(String name) {
    return !name.endsWith(".a") && !name.contains("/pgxs/") && !name.contains("/pkgconfig/");
  }

  private static void unpack(TarArchiveEntry entry, TarArchiveInputStream archive, Path top)
      throws IOException {
    Path target = top.resolve(entry.getName()).normalize();
    if (!target.startsWith(top)) {
      throw new IOException("The archive of PostgreSQL leaves its folder: " + entry.getName());
    }
    if (entry.isDirectory()) {
      Files.createDirectories(target);
      permit(target, true);
      return;
    }
    Files.createDirectories(target.getParent());
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
    } else {
      Files.copy(archive, target);
      permit(target, (entry.getMode() & OWNER_MAY_EXECUTE) != 0);
      force(target);
    }
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
