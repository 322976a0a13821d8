package io.tokenvault.server.cli.audit;

import io.tokenvault.server.cli.context.CannotWriteException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/**
 * The target of a copy of the audit log: a new file that only its owner can read, or standard
 * output.
 */
final class CopyTarget implements AutoCloseable {

  private final Optional<FileChannel> file;
  private final OutputStream stream;

  private CopyTarget(Optional<FileChannel> file, OutputStream standardOutput) {
    this.file = file;
    this.stream = file.map(Channels::newOutputStream).orElse(standardOutput);
  }

  /**
   * Opens the target.
   *
   * @param file empty: standard output
   * @param done the verb of the message if this fails, such as {@code "exported"}
   * @throws CannotWriteException if the file exists or cannot be created
   */
  static CopyTarget of(Optional<Path> file, OutputStream standardOutput, String done) {
    return new CopyTarget(file.map(each -> create(each, done)), standardOutput);
  }

  /**
   * Creates the file with permissions for its owner only; an existing file is never overwritten.
   */
  private static FileChannel create(Path file, String done) {
    try {
      return FileChannel.open(
          file,
          Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (FileAlreadyExistsException exists) {
      throw new CannotWriteException(
          "There is a file " + file + " already; nothing was " + done + ".");
    } catch (IOException failed) {
      throw new CannotWriteException(
          "The file " + file + " cannot be made; nothing was " + done + ".");
    }
  }

  OutputStream stream() {
    return stream;
  }

  /** Makes a file durable. Standard output cannot be made durable. */
  void finish() throws IOException {
    if (file.isPresent()) {
      file.get().force(true);
    }
  }

  @Override
  public void close() throws IOException {
    if (file.isPresent()) {
      file.get().close();
    }
  }
}
