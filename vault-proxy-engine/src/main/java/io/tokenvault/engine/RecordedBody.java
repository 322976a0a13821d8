package io.tokenvault.engine;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;

/** The body of an answer on its way to the caller; tells once, when it is closed, how it ended. */
final class RecordedBody extends FilterInputStream {

  private final Consumer<Boolean> ending;
  private boolean complete;
  private boolean closed;

  /**
   * @param ending is told whether all of the body was read
   */
  RecordedBody(InputStream body, Consumer<Boolean> ending) {
    super(body);
    this.ending = ending;
  }

  @Override
  public int read() throws IOException {
    return noted(super.read());
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    return noted(super.read(buffer, offset, length));
  }

  private int noted(int result) {
    complete |= result < 0;
    return result;
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      super.close();
    } finally {
      ending.accept(complete);
    }
  }
}
