package io.tokenvault.server.audit;

import io.tokenvault.domain.audit.integrity.ChainEnd;
import io.tokenvault.domain.audit.integrity.Checkpoint;
import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.ports.audit.CheckpointSink;
import io.tokenvault.server.files.OwnerOnlyFile;
import io.tokenvault.server.files.StandardOutput;
import io.tokenvault.server.json.JsonLine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;

/**
 * Formats a checkpoint as a line of JSON, writes the line with a single write, and reads it.
 *
 * <p>The field {@code log} is {@code "audit-checkpoint"}, which distinguishes the line from other
 * output.
 */
public final class CheckpointLine {

  private static final String LOG = "audit-checkpoint";

  private CheckpointLine() {}

  private static JsonLine of(Checkpoint checkpoint) {
    return new JsonLine()
        .with("log", LOG)
        .with("time", checkpoint.time().toString())
        .with("writer", checkpoint.writer().toString())
        .with("number", checkpoint.number())
        .with("previous", checkpoint.previous().toString())
        .with("tenants", checkpoint.tenants())
        .with("heads", checkpoint.ends().stream().map(CheckpointLine::head).toList())
        .with("signature", checkpoint.signature());
  }

  /** Returns the end of a tenant's hash chain as JSON. */
  private static JsonValue head(ChainEnd end) {
    return new JsonLine()
        .with("tenant_id", end.tenantId().toString())
        .with("number", end.number())
        .with("head", end.head().toString())
        .json();
  }

  /**
   * Reads a line; empty if it is not a checkpoint, since standard output has other lines as well.
   */
  static Optional<Checkpoint> read(String line) {
    try {
      JsonLine properties = JsonLine.ofLine(line);
      return properties.has("log") && properties.text("log").equals(LOG)
          ? Optional.of(checkpoint(properties))
          : Optional.empty();
    } catch (IllegalArgumentException | ArithmeticException malformed) {
      return Optional.empty();
    }
  }

  /** Reads the fields of a checkpoint. Its signature is not verified here. */
  private static Checkpoint checkpoint(JsonLine properties) {
    List<ChainEnd> ends =
        properties.items("heads").stream()
            .map(JsonLine::of)
            .map(head -> new ChainEnd(head.tenant(), head.number("number"), head.hash("head")))
            .toList();
    return new Checkpoint(
        properties.uuid("writer"),
        properties.number("number"),
        properties.time("time"),
        properties.hash("previous"),
        Math.toIntExact(properties.number("tenants")),
        ends,
        properties.tag("signature"));
  }

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
          OwnerOnlyFile.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
        // If the last line is incomplete, this checkpoint starts on a new one.
        String start = channel.size() == 0 || endsWithLine(file) ? "" : "\n";
        Channels.newOutputStream(channel)
            .write((start + of(checkpoint) + "\n").getBytes(StandardCharsets.UTF_8));
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
        StandardOutput.write(of(checkpoint).bytes());
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    };
  }
}
