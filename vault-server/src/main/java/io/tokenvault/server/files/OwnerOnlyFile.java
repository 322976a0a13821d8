package io.tokenvault.server.files;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/**
 * A file that only its owner can read and write, from its creation on.
 *
 * <p>Writing is durable and atomic: other processes see the whole content or none of it. The
 * content is written to a temporary file in the same directory, which then gets the name of the
 * file. Requires a file system with POSIX permissions.
 *
 * <pre>{@code
 * OwnerOnlyFile file = new OwnerOnlyFile(directory.resolve("first-key.json"));
 * file.replace(content);
 * }</pre>
 */
public final class OwnerOnlyFile {

  private static final Set<PosixFilePermission> OWNER =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private final Path file;
  private final Linking linking;

  public OwnerOnlyFile(Path file) {
    this(file, Files::createLink);
  }

  /** Creates the object with a replacement for hard links, for tests. */
  OwnerOnlyFile(Path file, Linking linking) {
    this.file = file;
    this.linking = linking;
  }

  /** Opens a file for writing. If it is created, only its owner can access it. */
  public static FileChannel open(Path file, OpenOption... options) throws IOException {
    return FileChannel.open(file, Set.of(options), PosixFilePermissions.asFileAttribute(OWNER));
  }

  /**
   * Creates the file with content of any size. Until it is complete, a temporary file exists beside
   * it.
   *
   * @throws java.nio.file.FileAlreadyExistsException if the file exists
   * @throws OpenToOthersException if the file system lets others read it
   */
  public void create(Content content) throws IOException {
    withDraft(
        draft -> {
          if (isOpenToOthers(draft)) {
            throw new OpenToOthersException(file);
          }
          write(draft, content);
          publish(draft);
        });
  }

  /**
   * Writes the file, replacing an existing one.
   *
   * @throws IOException if the file cannot be written; an existing file is unchanged then
   */
  public void replace(byte[] content) throws IOException {
    withDraft(
        draft -> {
          write(draft, out -> out.write(content));
          Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        });
  }

  /** Runs a step with a temporary file, which is deleted if the step did not rename it. */
  private void withDraft(DraftAction action) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    Path draft =
        Files.createTempFile(
            directory, ".draft-", ".tmp", PosixFilePermissions.asFileAttribute(OWNER));
    try {
      action.run(draft);
    } finally {
      Files.deleteIfExists(draft);
    }
    force(directory);
  }

  /**
   * Gives the temporary file its name with a hard link, which never replaces a file. If the file
   * system has no links, the file is renamed.
   */
  private void publish(Path draft) throws IOException {
    try {
      linking.link(file, draft);
    } catch (FileAlreadyExistsException exists) {
      throw exists;
    } catch (FileSystemException | UnsupportedOperationException noLinks) {
      reserveNameAndMove(draft);
    }
  }

  /**
   * Reserves the name with an empty file and renames the temporary file over it. An empty file is
   * never mistaken for a complete one.
   */
  private void reserveNameAndMove(Path draft) throws IOException {
    Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNER));
    try {
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException notMoved) {
      Files.deleteIfExists(file);
      throw notMoved;
    }
  }

  /** Writes the content and makes it durable before the file gets its name. */
  private static void write(Path draft, Content content) throws IOException {
    try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
      content.writeTo(Channels.newOutputStream(channel));
      channel.force(true);
    }
  }

  /** Makes the new name durable. */
  private static void force(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Returns whether group or others have a permission on a file, as it is now. */
  public static boolean isOpenToOthers(Path path) throws IOException {
    return Files.getPosixFilePermissions(path).stream()
        .anyMatch(each -> !each.name().startsWith("OWNER_"));
  }

  /** Writes the content of a file. */
  public interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /** Turns a temporary file into the file. */
  private interface DraftAction {
    void run(Path draft) throws IOException;
  }

  /** Creates a hard link to an existing file. */
  interface Linking {
    void link(Path name, Path existing) throws IOException;
  }

  /**
   * Reports a file system, such as FAT, that gives group or others a permission on each of its
   * files.
   */
  public static final class OpenToOthersException extends IOException {

    private static final long serialVersionUID = 1L;

    OpenToOthersException(Path file) {
      super(
          "On the file system of "
              + file
              + " other users can read every file; mount it with umask=077, or choose another"
              + " path.");
    }
  }
}
