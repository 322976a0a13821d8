package io.tokenvault.adapters.jdbi.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the embedded PostgreSQL keeps everything, and the one place that knows the names in it.
 * Files created here belong to the directory's owner and nobody else can read them.
 */
final class DataDirectory {

  static final Set<PosixFilePermission> PRIVATE_FOLDER =
      PosixFilePermissions.fromString("rwx------");
  static final Set<PosixFilePermission> PRIVATE_FILE = PosixFilePermissions.fromString("rw-------");

  private static final Logger LOG = LoggerFactory.getLogger(DataDirectory.class);
  private static final List<String> ROLES = List.of(Endpoint.OWNER, Endpoint.RUNTIME);
  private static final int PASSWORD_BYTES = 32;

  // PostgreSQL cuts paths at 1024 bytes; the longest one below the directory needs about 150.
  private static final int LONGEST_PATH = 800;

  private final Path root;

  private DataDirectory(Path root) {
    this.root = root;
  }

  /** Creates the directory if it is absent. */
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

  Path log() {
    return root.resolve("postgres.log");
  }

  Path passwordFile(String role) {
    return root.resolve(role + ".password");
  }

  boolean hasPasswords() {
    return ROLES.stream().allMatch(role -> Files.exists(passwordFile(role)));
  }

  String password(String role) throws IOException {
    return Files.readString(passwordFile(role)).trim();
  }

  /**
   * Creates the passwords that are missing, each in a file of its own that only its owner reads.
   */
  void ensurePasswords(SecureRandom random) throws IOException {
    for (String role : ROLES) {
      Path file = passwordFile(role);
      if (!Files.exists(file)) {
        byte[] bytes = new byte[PASSWORD_BYTES];
        random.nextBytes(bytes);
        String password = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        writePrivate(file, password + "\n");
      }
      hand(file);
      Files.setPosixFilePermissions(file, PRIVATE_FILE);
    }
  }

  /** Writes all or nothing, even when the power fails. */
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

  Owner owner() throws IOException {
    return Owner.of(root);
  }

  /** Keeps what root creates here usable for the directory's owner. */
  void hand(Path file) throws IOException {
    if (Owner.ofThisProcess().isRoot()) {
      owner().take(file);
    }
  }

  @Override
  public String toString() {
    return root.toString();
  }

  /** Removes a file, or a folder with all that is in it; what vanishes meanwhile is fine. */
  static void delete(Path path) throws IOException {
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      try (DirectoryStream<Path> children = Files.newDirectoryStream(path)) {
        for (Path child : children) {
          delete(child);
        }
      } catch (NoSuchFileException vanished) {
        return;
      }
    }
    Files.deleteIfExists(path);
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

  static boolean isEmpty(Path folder) throws IOException {
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
