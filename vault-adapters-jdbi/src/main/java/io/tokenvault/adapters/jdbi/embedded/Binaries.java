package io.tokenvault.adapters.jdbi.embedded;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * The programs of PostgreSQL, unpacked from the class path into a folder named by their version.
 */
final class Binaries {

  static final String MAJOR_VERSION = "18";
  static final String VERSION = "18.6";

  private static final String DRAFT = ".unpacking-";

  private final Path folder;

  private Binaries(Path folder) {
    this.folder = folder;
  }

  /** Processes may do this at once: each unpacks for itself, the first one's folder stays. */
  static Binaries in(Path parent) throws IOException {
    Platform platform = Platform.current();
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

  private static void unpack(Platform platform, Path folder) throws IOException {
    Path draft = Files.createTempDirectory(folder.getParent(), DRAFT);
    try {
      deleteDraftsAbandonedBefore(draft);
      unpackInto(draft, platform);
      publish(draft, folder);
    } finally {
      FileTree.delete(draft);
    }
  }

  private static void unpackInto(Path draft, Platform platform) throws IOException {
    try (InputStream archive = Binaries.class.getResourceAsStream(platform.archive())) {
      if (archive == null) {
        throw Platform.unsupported(platform);
      }
      InputStream unzipped = new XZInputStream(new BufferedInputStream(archive));
      new Unpacker(draft).unpack(new TarArchiveInputStream(unzipped));
    }
  }

  private static void publish(Path draft, Path folder) throws IOException {
    Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rwxr-xr-x"));
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
          FileTree.delete(draft);
        }
      }
    }
  }

  private static Instant modified(Path file) throws IOException {
    return Files.getLastModifiedTime(file).toInstant();
  }
}
