package io.tokenvault.server.feed;

import io.tokenvault.ports.audit.FeedEntry;
import io.tokenvault.ports.audit.FeedSink;
import io.tokenvault.server.files.StandardOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;

/** Writes audit entries as lines of JSON. */
public final class LineSink implements FeedSink {

  private final Output output;

  private LineSink(Output output) {
    this.output = output;
  }

  /**
   * Returns a sink that writes to a stream.
   *
   * @param out is flushed after each call; stays the caller's to close
   */
  public static LineSink to(OutputStream out) {
    return new LineSink(
        lines -> {
          out.write(lines);
          out.flush();
        });
  }

  /** Returns a sink that writes to the standard output of this process. */
  public static LineSink standardOutput() {
    return new LineSink(StandardOutput::write);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Writes all entries at once, so that lines of other writers do not separate them.
   *
   * @throws UncheckedIOException if the output fails
   */
  @Override
  public void accept(List<FeedEntry> entries) {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    for (FeedEntry entry : entries) {
      lines.writeBytes(EntryLine.of(entry));
      lines.write('\n');
    }
    try {
      output.write(lines.toByteArray());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Writes whole lines. */
  private interface Output {
    void write(byte[] lines) throws IOException;
  }
}
