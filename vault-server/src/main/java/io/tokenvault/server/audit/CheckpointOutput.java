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

/** Writes checkpoints, a line each, in one piece. */
public final class CheckpointOutput {

  private CheckpointOutput() {}

  /**
   * To the end of a file, which is made readable by its owner only if it is not there. Durable when
   * it returns. Opened each time, so that the file can be moved away.
   */
  public static CheckpointSink file(Path file) {
    return checkpoint -> {
      try (FileChannel channel =
          FileChannel.open(
              file,
              Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
        // After a line that was torn, this one begins anew.
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

  private static boolean endsWithLine(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer end = ByteBuffer.allocate(1);
      return channel.read(end, channel.size() - 1) == 1 && end.get(0) == '\n';
    }
  }

  /** To the standard output of this process. */
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
