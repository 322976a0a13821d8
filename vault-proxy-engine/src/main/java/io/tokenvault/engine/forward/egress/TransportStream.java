package io.tokenvault.engine.forward.egress;

import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import javax.net.ssl.SSLException;

/**
 * The bytes below a TLS connection to a destination.
 *
 * <p>Reading stops at TLS's own end, so the end of these bytes means that the connection was cut.
 * Java would treat that as a normal end, and a truncated response as complete.
 *
 * <p>For HTTP/1.1, it also limits the overhead of a response: the head, with informational
 * responses before it, and what stands around the content of a body. OkHttp keeps a line with the
 * size of a chunk in memory, however long it is. Used by one exchange at a time.
 */
public final class TransportStream extends FilterInputStream {

  /** Twice the size of the largest head that OkHttp reads, in bytes. */
  private static final long MAX_HEAD = 512 * 1024;

  /**
   * Several TLS records, in bytes. A read of a body needs one, and its chunk's line or trailers.
   */
  private static final long MAX_PART = 64 * 1024;

  private final Closeable connection;
  private long permitted = Long.MAX_VALUE;
  private boolean exceeded;

  /**
   * Creates a stream without a limit.
   *
   * @param connection closes the connection at once. Otherwise TLS would send an alert about the
   *     failure, and wait for a destination that does not read
   */
  public TransportStream(InputStream transport, Closeable connection) {
    super(transport);
    this.connection = connection;
  }

  /** Limits what is read before {@link #expectContent} to the size of a head. */
  public void expectHead() {
    permitted = MAX_HEAD;
  }

  /** Limits what is read before the next call to the size of a part of a body. */
  public void expectContent() {
    permitted = MAX_PART;
  }

  /** Returns whether a limit was exceeded. */
  public boolean isExceeded() {
    return exceeded;
  }

  @Override
  public int read() throws IOException {
    int result = super.read();
    check(result < 0, 1);
    return result;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int count = super.read(buffer, offset, length);
    check(count < 0, count);
    return count;
  }

  private void check(boolean ended, int count) throws IOException {
    if (ended) {
      throw failure("the connection ended before TLS did");
    }
    permitted -= count;
    if (permitted < 0) {
      exceeded = true;
      throw failure("too many bytes around the content");
    }
  }

  private SSLException failure(String text) throws IOException {
    connection.close();
    return new SSLException(text);
  }
}
