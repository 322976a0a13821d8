package io.tokenvault.server.feed;

import io.tokenvault.ports.audit.FeedEntry;
import io.tokenvault.ports.audit.FeedSink;
import io.tokenvault.server.files.StandardOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;

/** Writes each entry as a line of JSON. */
public final class LineSink implements FeedSink {

  private final Output output;

  private LineSink(Output output) {
    this.output = output;
  }

  /**
   * @param out flushed after each piece; the caller's to close
   */
  public static LineSink to(OutputStream out) {
    return new LineSink(
        lines -> {
          out.write(lines);
          out.flush();
        });
  }

  /** The standard output of this process. */
  public static LineSink standardOutput() {
    return new LineSink(StandardOutput::write);
  }

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

  /** Where whole lines go. */
  private interface Output {
    void write(byte[] lines) throws IOException;
  }
}
