package io.tokenvault.server.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** What an attempt that was broken off added to a file, and could not note any more. */
final class ToldBefore implements AutoCloseable {

  private final FileChannel file;
  private long place;
  private boolean over;

  private ToldBefore(FileChannel file, long place) {
    this.file = file;
    this.place = place;
  }

  static ToldBefore in(Path file, long place) throws IOException {
    return new ToldBefore(FileChannel.open(file, StandardOpenOption.READ), place);
  }

  /**
   * How many bytes of a line stand where it would have been added next: all of them; some, if the
   * machine went down while they were written, and then the file ends there; or none. Unless it is
   * all, nothing that comes after is known.
   */
  int known(byte[] line) throws IOException {
    if (over) {
      return 0;
    }
    byte[] there = read(line.length);
    boolean isSame = Arrays.equals(there, Arrays.copyOf(line, there.length));
    over = !isSame || there.length < line.length;
    place += there.length;
    return isSame ? there.length : 0;
  }

  private byte[] read(int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(length);
    int more = 0;
    while (more >= 0 && buffer.hasRemaining()) {
      more = file.read(buffer, place + buffer.position());
    }
    return Arrays.copyOf(buffer.array(), buffer.position());
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
