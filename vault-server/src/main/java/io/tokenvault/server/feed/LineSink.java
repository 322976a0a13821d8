package io.tokenvault.server.feed;

import io.tokenvault.ports.spi.FedEntry;
import io.tokenvault.ports.spi.FeedSink;
import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;

/** Writes each entry as a line of JSON. */
public final class LineSink implements FeedSink {

  private final OutputStream out;

  /**
   * @param out told to flush after each piece; the caller's to close
   */
  public LineSink(OutputStream out) {
    this.out = out;
  }

  /** The standard output of this process, which tells when nobody takes what it writes. */
  public static LineSink standardOutput() {
    return new LineSink(new FileOutputStream(FileDescriptor.out));
  }

  @Override
  public void accept(List<FedEntry> entries) {
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    for (FedEntry entry : entries) {
      lines.writeBytes(EntryLine.of(entry));
      lines.write('\n');
    }
    try {
      lines.writeTo(out);
      out.flush();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
