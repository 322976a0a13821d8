package io.tokenvault.server.files;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/**
 * A file that only its owner may read and write, from its first moment on. What is written is
 * durable, and appears whole or not at all. For file systems with POSIX permissions.
 */
public final class OwnerOnlyFile {

  private static final Set<PosixFilePermission> OWNER =
      EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private final Path file;
  private final Linking linking;

  public OwnerOnlyFile(Path file) {
    this(file, Files::createLink);
  }

  OwnerOnlyFile(Path file, Linking linking) {
    this.file = file;
    this.linking = linking;
  }

  /**
   * Writes a new file.
   *
   * @throws java.nio.file.FileAlreadyExistsException if there is one
   * @throws OpenToOthersException if the file system lets others read it
   */
  public void create(byte[] content) throws IOException {
    create(out -> out.write(content));
  }

  /**
   * Writes a new file of any size. Meanwhile there is a file with a name of its own beside it.
   *
   * @throws java.nio.file.FileAlreadyExistsException if there is one
   * @throws OpenToOthersException if the file system lets others read it
   */
  public void create(Content content) throws IOException {
    make(
        draft -> {
          if (isOpenToOthers(draft)) {
            throw new OpenToOthersException(file);
          }
          fill(draft, content);
          name(draft);
        });
  }

  /** Writes the file, in the place of another if there is one. */
  public void replace(byte[] content) throws IOException {
    make(
        draft -> {
          fill(draft, out -> out.write(content));
          Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        });
  }

  private void make(Making making) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    Path draft =
        Files.createTempFile(
            directory, ".draft-", ".tmp", PosixFilePermissions.asFileAttribute(OWNER));
    try {
      making.makeOf(draft);
    } finally {
      Files.deleteIfExists(draft);
    }
    force(directory);
  }

  /** A link is never made in the place of another file. Not every file system has links. */
  private void name(Path draft) throws IOException {
    try {
      linking.link(file, draft);
    } catch (FileAlreadyExistsException exists) {
      throw exists;
    } catch (FileSystemException | UnsupportedOperationException noLinks) {
      takeNameAndMove(draft);
    }
  }

  /** What the draft replaces is an empty file of our own, which nobody takes for the whole one. */
  private void takeNameAndMove(Path draft) throws IOException {
    Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNER));
    try {
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException notMoved) {
      Files.deleteIfExists(file);
      throw notMoved;
    }
  }

  private static void fill(Path draft, Content content) throws IOException {
    try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
      content.writeTo(Channels.newOutputStream(channel));
      channel.force(true);
    }
  }

  /** Makes the new name durable too. */
  private static void force(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Whether somebody has since given group or others a right to the file. */
  public boolean isOpenToOthers() throws IOException {
    return isOpenToOthers(file);
  }

  private static boolean isOpenToOthers(Path path) throws IOException {
    return Files.getPosixFilePermissions(path).stream()
        .anyMatch(each -> !each.name().startsWith("OWNER_"));
  }

  /** What a file is to hold. */
  public interface Content {
    void writeTo(OutputStream out) throws IOException;
  }

  /** Makes a file of a draft. */
  private interface Making {
    void makeOf(Path draft) throws IOException;
  }

  /** Gives an existing file one more name. */
  interface Linking {
    void link(Path name, Path existing) throws IOException;
  }
}
