package io.tokenvault.engine.forward.egress;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import javax.net.ssl.SSLException;

/**
 * The bytes under TLS. Whoever has read TLS's own end reads no further, so the end of these is a
 * cut: Java would take it for an end in good order, and a cut answer for a whole one.
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

  private static int uncut(int result) throws SSLException {
    if (result < 0) {
      throw new SSLException("the connection ended before TLS did");
    }
    return result;
  }
}
