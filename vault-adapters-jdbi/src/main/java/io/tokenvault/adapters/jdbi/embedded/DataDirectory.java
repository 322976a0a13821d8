package io.tokenvault.adapters.jdbi.embedded;

import com.sun.security.auth.module.UnixSystem;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory that holds all files of the embedded PostgreSQL. This class is the only one that
 * knows their names.
 *
 * <p>Files created here belong to the directory's owner, and only that user can read them:
 *
 * <pre>{@code
 * postgres/               the cluster
 * postgres.log            the server's log
 * vault.lock              locked while a process hosts the server
 * vault.holder            the purpose and process id of the lock's holder
 * <role>.password         the password of each role
 * }</pre>
 */
final class DataDirectory {

  static final Set<PosixFilePermission> PRIVATE_FOLDER =
      PosixFilePermissions.fromString("rwx------");
  static final Set<PosixFilePermission> PRIVATE_FILE = PosixFilePermissions.fromString("rw-------");

  private static final Logger LOG = LoggerFactory.getLogger(DataDirectory.class);
  private static final List<String> ROLES = List.of(ServerEndpoint.OWNER, ServerEndpoint.RUNTIME);
  private static final int PASSWORD_BYTES = 32;

  // PostgreSQL cuts paths at 1024 bytes; the longest one below the directory needs about 150.
  private static final int LONGEST_PATH = 800;

  private final Path root;

  private DataDirectory(Path root) {
    this.root = root;
  }

  /**
   * Returns the directory, and creates it with private permissions if it is absent.
   *
   * @throws EmbeddedPostgresException if the path is too long or this process may not write there
   */
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

  /** Returns the directory if it exists, without changing it. */
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

  /** Returns the folder of PostgreSQL's data files. */
  Path cluster() {
    return root.resolve("postgres");
  }

  /** Returns the file that the host of the server locks. */
  Path lock() {
    return root.resolve("vault.lock");
  }

  /** Returns the file that describes the holder of the lock. */
  Path holder() {
    return root.resolve("vault.holder");
  }

  /** Returns the log that the server writes. */
  Path log() {
    return root.resolve("postgres.log");
  }

  /** Returns the file with the password of a role. */
  Path passwordFile(String role) {
    return root.resolve(role + ".password");
  }

  /** Returns whether the password files of both roles exist. */
  boolean hasPasswords() {
    return ROLES.stream().allMatch(role -> Files.exists(passwordFile(role)));
  }

  String password(String role) throws IOException {
    return Files.readString(passwordFile(role)).trim();
  }

  /**
   * Creates missing passwords, each in a file that only the directory's owner can read. A password
   * has 256 random bits.
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
      giveToOwner(file);
      Files.setPosixFilePermissions(file, PRIVATE_FILE);
    }
  }

  /**
   * Writes a private file atomically, so that it is complete or absent even after a power failure.
   */
  void writePrivate(Path file, String text) throws IOException {
    Path draft = Files.createTempFile(root, ".draft-", null);
    try {
      Files.writeString(draft, text, StandardOpenOption.SYNC);
      giveToOwner(draft);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  FileOwner owner() throws IOException {
    return FileOwner.of(root);
  }

  /** Gives a file that root created to the directory's owner. Does nothing for other users. */
  void giveToOwner(Path file) throws IOException {
    if (FileOwner.ofThisProcess().isRoot()) {
      owner().take(file);
    }
  }

  @Override
  public String toString() {
    return root.toString();
  }

  /**
   * Deletes a file, or a folder with its content. Ignores files that others delete at the same
   * time.
   */
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
          "The data directory's path is too long: %s bytes, at most %s: %s"
              .formatted(length, LONGEST_PATH, path));
    }
  }

  /** Creates the directory, or makes an existing one private if it is empty. */
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

  /**
   * Makes an empty directory private. One that contains files may be shared on purpose, as /tmp is:
   * its permissions stay, with a warning in the log.
   */
  private static void tightenIfNew(Path folder) throws IOException {
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder);
    if (PRIVATE_FOLDER.containsAll(permissions)) {
      return;
    }
    FileOwner me = FileOwner.ofThisProcess();
    if (isEmpty(folder) && (me.isRoot() || me.uid() == FileOwner.of(folder).uid())) {
      Files.setPosixFilePermissions(folder, PRIVATE_FOLDER);
      return;
    }
    LOG.warn(
        "Other users can access the data directory {} ({}); run chmod 700",
        folder,
        PosixFilePermissions.toString(permissions));
  }

  static boolean isEmpty(Path folder) throws IOException {
    try (var entries = Files.list(folder)) {
      return entries.findAny().isEmpty();
    }
  }

  private static void refuseUnusable(Path folder) {
    if (!Files.isReadable(folder) || !Files.isWritable(folder) || !Files.isExecutable(folder)) {
      throw new EmbeddedPostgresException(
          "The data directory cannot be used: %s: user %s has no write permission"
              .formatted(folder, FileOwner.ofThisProcess().uid()));
    }
  }

  /**
   * A user and group by number: names need not exist, particularly in containers.
   *
   * @param uid the number of the user
   * @param gid the number of the group
   */
  record FileOwner(int uid, int gid) {

    static final FileOwner ROOT = new FileOwner(0, 0);

    /** The user that Linux distributions reserve for processes without rights. */
    static final FileOwner NOBODY = new FileOwner(65534, 65534);

    /** Returns the user and group that this JVM runs as. */
    static FileOwner ofThisProcess() {
      UnixSystem system = new UnixSystem();
      return new FileOwner((int) system.getUid(), (int) system.getGid());
    }

    /** Returns the owner of a file; symbolic links are not followed. */
    static FileOwner of(Path file) throws IOException {
      return new FileOwner(number(file, "unix:uid"), number(file, "unix:gid"));
    }

    boolean isRoot() {
      return uid == 0;
    }

    /** Makes this user the owner of a file. Only root may change an owner. */
    void take(Path file) throws IOException {
      if (number(file, "unix:uid") != uid) {
        Files.setAttribute(file, "unix:gid", gid, LinkOption.NOFOLLOW_LINKS);
        Files.setAttribute(file, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
      }
    }

    /** Makes this user the owner of a folder and of all files in it. */
    void takeTree(Path top) throws IOException {
      try (Stream<Path> files = Files.walk(top)) {
        for (Path file : files.toList()) {
          take(file);
        }
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
    }

    private static int number(Path file, String attribute) throws IOException {
      return (Integer) Files.getAttribute(file, attribute, LinkOption.NOFOLLOW_LINKS);
    }
  }
}
