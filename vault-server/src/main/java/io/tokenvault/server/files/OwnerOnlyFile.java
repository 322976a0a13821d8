package io.tokenvault.server.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
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

  public OwnerOnlyFile(Path file) {
    this.file = file;
  }

  /**
   * Writes a new file.
   *
   * @throws java.nio.file.FileAlreadyExistsException if there is one
   */
  public void create(byte[] content) throws IOException {
    write(content, draft -> Files.createLink(file, draft));
  }

  /** Writes the file, in the place of another if there is one. */
  public void replace(byte[] content) throws IOException {
    write(content, draft -> Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE));
  }

  private void write(byte[] content, Placing placing) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    Path draft =
        Files.createTempFile(
            directory, ".draft-", ".tmp", PosixFilePermissions.asFileAttribute(OWNER));
    try {
      fill(draft, content);
      placing.place(draft);
    } finally {
      Files.deleteIfExists(draft);
    }
    force(directory);
  }

  private static void fill(Path draft, byte[] content) throws IOException {
    try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
      ByteBuffer rest = ByteBuffer.wrap(content);
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
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
    return Files.getPosixFilePermissions(file).stream()
        .anyMatch(each -> !each.name().startsWith("OWNER_"));
  }

  /** Gives a draft its name. */
  private interface Placing {
    void place(Path draft) throws IOException;
  }
}
