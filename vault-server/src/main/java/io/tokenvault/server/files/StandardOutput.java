package io.tokenvault.server.files;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;

/** The standard output of this process, shared by several writers of whole lines. */
public final class StandardOutput {

  private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

  private StandardOutput() {}

  /** Writes whole lines, as {@link #write} does. */
  public interface LineOutput {
    /** Writes one or more lines with their line feeds. */
    void write(byte[] lines) throws IOException;
  }

  /**
   * Writes lines without interleaving them with those of other writers, and returns when the
   * operating system has accepted them.
   *
   * @param lines one or more lines with their line feeds
   * @throws IOException if the output is closed or full, which {@code System.out} would hide
   */
  public static void write(byte[] lines) throws IOException {
    synchronized (OUT) {
      OUT.write(lines);
    }
  }
}
