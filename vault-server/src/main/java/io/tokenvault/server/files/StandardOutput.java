package io.tokenvault.server.files;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;

/** The standard output of this process, for several writers of whole lines. */
public final class StandardOutput {

  private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);

  private StandardOutput() {}

  /**
   * Writes lines that no others come between, and returns when they have left this process.
   *
   * @throws IOException if nobody takes them, which {@code System.out} would not tell
   */
  public static void write(byte[] lines) throws IOException {
    synchronized (OUT) {
      OUT.write(lines);
    }
  }
}
