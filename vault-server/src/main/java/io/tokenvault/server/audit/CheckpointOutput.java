package io.tokenvault.server.audit;

import io.tokenvault.domain.audit.integrity.Checkpoint;
import io.tokenvault.ports.audit.CheckpointSink;
import io.tokenvault.server.files.StandardOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Writes each checkpoint as one line, with a single write. */
public final class CheckpointOutput {

  private CheckpointOutput() {}

  /**
   * Returns a sink that appends to a file.
   *
   * <p>A checkpoint is durable when the sink returns. The file is opened for each checkpoint, so
   * that it can be rotated. If it does not exist, it is created with permissions for its owner
   * only.
   */
  public static CheckpointSink file(Path file) {
    return checkpoint -> {
      try (FileChannel channel =
          FileChannel.open(
              file,
              Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
        // If the last line is incomplete, this checkpoint starts on a new one.
        String start = channel.size() == 0 || endsWithLine(file) ? "" : "\n";
        ByteBuffer rest =
            ByteBuffer.wrap((start + line(checkpoint)).getBytes(StandardCharsets.UTF_8));
        while (rest.hasRemaining()) {
          channel.write(rest);
        }
        channel.force(true);
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    };
  }

  /** Returns whether the last byte of a file is a line feed. */
  private static boolean endsWithLine(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer end = ByteBuffer.allocate(1);
      return channel.read(end, channel.size() - 1) == 1 && end.get(0) == '\n';
    }
  }

  /** Returns a sink that writes to the standard output of this process. */
  public static CheckpointSink standardOutput() {
    return checkpoint -> {
      try {
        StandardOutput.write(line(checkpoint).getBytes(StandardCharsets.UTF_8));
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    };
  }

  private static String line(Checkpoint checkpoint) {
    return CheckpointLine.of(checkpoint) + "\n";
  }
}
