package io.tokenvault.engine.forward;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.OptionalLong;
import okhttp3.Response;

/**
 * The body of a destination's response as it arrives; closing it ends the exchange.
 *
 * <p>A body that is shorter or longer than announced ends with a failure. OkHttp does not check
 * this over HTTP/2.
 */
final class DestinationResponseBody extends FilterInputStream {

  private final Response response;
  private final OptionalLong announced;
  private final Runnable end;
  private long count;

  private DestinationResponseBody(
      Response response, InputStream content, OptionalLong announced, Runnable end) {
    super(content);
    this.response = response;
    this.announced = announced;
    this.end = end;
  }

  /**
   * Returns the body of a response.
   *
   * @param announced length in bytes, if it is known
   * @param end runs when the body is closed
   */
  static DestinationResponseBody of(Response response, OptionalLong announced, Runnable end) {
    return new DestinationResponseBody(response, response.body().byteStream(), announced, end);
  }

  /** Returns the body of a response that has none, whatever lengths its headers announce. */
  static DestinationResponseBody none(Response response, Runnable end) {
    return new DestinationResponseBody(
        response, InputStream.nullInputStream(), OptionalLong.empty(), end);
  }

  @Override
  public void close() {
    try {
      response.close();
    } finally {
      end.run();
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    if (length == 0) {
      // OkHttp would block until a byte arrives.
      return 0;
    }
    int read = next(buffer, offset, length);
    count += Math.max(read, 0);
    boolean tooShort = read < 0 && count < announced.orElse(0);
    if (tooShort || count > announced.orElse(Long.MAX_VALUE)) {
      throw cutShort();
    }
    return read;
  }

  /** Reads on, replacing OkHttp's failure by one with a fixed text. */
  private int next(byte[] buffer, int offset, int length) throws IOException {
    try {
      return super.read(buffer, offset, length);
    } catch (IOException broken) {
      throw cutShort();
    }
  }

  /** Returns a failure without its cause, whose text is not under our control. */
  private static IOException cutShort() {
    return new IOException("the destination's answer was cut short");
  }
}
