package io.tokenvault.engine.forward.egress;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import javax.net.ssl.SSLException;

/**
 * The bytes below a TLS connection. Reading stops at TLS's own end, so the end of these bytes means
 * that the connection was cut. Java would treat that as a normal end, and a truncated response as
 * complete.
 */
public final class TruncationCheckStream extends FilterInputStream {

  public TruncationCheckStream(InputStream transport) {
    super(transport);
  }

  @Override
  public int read() throws IOException {
    return uncut(super.read());
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    return uncut(super.read(buffer, offset, length));
  }

  /** Returns the result of a read unless it is the end. */
  private static int uncut(int result) throws SSLException {
    if (result < 0) {
      throw new SSLException("the connection ended before TLS did");
    }
    return result;
  }
}
