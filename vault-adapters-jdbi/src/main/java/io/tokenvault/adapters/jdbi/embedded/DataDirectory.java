package io.tokenvault.adapters.jdbi.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the embedded PostgreSQL keeps everything, and the one place that knows the names in it.
 * Files made here belong to the directory's owner and nobody else can read them.
 */
final class DataDirectory {

  static final Set<PosixFilePermission> PRIVATE_FOLDER =
      PosixFilePermissions.fromString("rwx------");
  static final Set<PosixFilePermission> PRIVATE_FILE = PosixFilePermissions.fromString("rw-------");

  private static final Logger LOG = LoggerFactory.getLogger(DataDirectory.class);

  // PostgreSQL cuts paths at 1024 bytes; the longest one below the directory needs about 150.
  private static final int LONGEST_PATH = 800;

  private final Path root;

  private DataDirectory(Path root) {
    this.root = root;
  }

  /** Made if absent. */
  static DataDirectory prepare(Path path) {
    Path wanted = path.toAbsolutePath().normalize();
    refuseLongPath(wanted);
    try {
      create(wanted);
      refuseUnusable(wanted);
      return new DataDirectory(wanted.toRealPath());
    } catch (IOException e) {
      throw EmbeddedPostgresException.of(wanted, e);
    }
  }

  static Optional<DataDirectory> existing(Path path) {
    try {
      return Files.isDirectory(path)
          ? Optional.of(new DataDirectory(path.toRealPath()))
          : Optional.empty();
    } catch (IOException e) {
      throw EmbeddedPostgresException.of(path, e);
    }
  }

  Path path() {
    return root;
  }

  Path cluster() {
    return root.resolve("postgres");
  }

  Path lock() {
    return root.resolve("vault.lock");
  }

  Path holder() {
    return root.resolve("vault.holder");
  }

  Path passwordOf(Role role) {
    return root.resolve(role.user() + ".password");
  }

  Path log() {
    return root.resolve("postgres.log");
  }

  Owner owner() throws IOException {
    return Owner.of(root);
  }

  /** All or nothing, even when the power fails. */
  void writePrivate(Path file, String text) throws IOException {
    Path draft = Files.createTempFile(root, ".draft-", null);
    try {
      Files.writeString(draft, text, StandardOpenOption.SYNC);
      hand(draft);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /** What root makes here has to stay usable for the directory's owner. */
  void hand(Path file) throws IOException {
    if (Owner.ofThisProcess().isRoot()) {
      owner().take(file);
    }
  }

  /** After the directory got another owner. */
  void handLock() throws IOException {
    hand(lock());
    hand(holder());
  }

  @Override
  public String toString() {
    return root.toString();
  }

  private static void refuseLongPath(Path path) {
    int length = path.toString().getBytes(StandardCharsets.UTF_8).length;
    if (length > LONGEST_PATH) {
      throw new EmbeddedPostgresException(
          "The data directory's path is too long: %d bytes, at most %d: %s"
              .formatted(length, LONGEST_PATH, path));
    }
  }

  private static void create(Path wanted) throws IOException {
    if (Files.isDirectory(wanted)) {
      tightenIfNew(wanted);
      return;
    }
    if (wanted.getParent() != null) {
      Files.createDirectories(wanted.getParent());
    }
    Files.createDirectories(wanted, PosixFilePermissions.asFileAttribute(PRIVATE_FOLDER));
  }

  // A directory that holds files may be shared on purpose (or be /tmp): that is not ours to change.
  private static void tightenIfNew(Path folder) throws IOException {
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder);
    if (PRIVATE_FOLDER.containsAll(permissions)) {
      return;
    }
    if (isEmpty(folder) && mayChange(folder)) {
      Files.setPosixFilePermissions(folder, PRIVATE_FOLDER);
      return;
    }
    LOG.warn(
        "Other users can enter the data directory {} ({}): better chmod 700",
        folder,
        PosixFilePermissions.toString(permissions));
  }

  private static boolean isEmpty(Path folder) throws IOException {
    try (var entries = Files.list(folder)) {
      return entries.findAny().isEmpty();
    }
  }

  private static boolean mayChange(Path folder) throws IOException {
    Owner me = Owner.ofThisProcess();
    return me.isRoot() || me.uid() == Owner.of(folder).uid();
  }

  private static void refuseUnusable(Path folder) {
    if (!Files.isReadable(folder) || !Files.isWritable(folder) || !Files.isExecutable(folder)) {
      throw new EmbeddedPostgresException(
          "The data directory cannot be used: %s: user %d may not write there"
              .formatted(folder, Owner.ofThisProcess().uid()));
    }
  }
}
