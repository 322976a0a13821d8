package io.tokenvault.engine.forward;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.OptionalLong;
import okhttp3.Response;

/**
 * The body of an answer as it arrives; closing it ends the exchange. One that is not as long as
 * announced ends with a failure: over HTTP/2 OkHttp does not compare.
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
   * @param announced how long the body will be, where that is known
   * @param end is run when it is closed
   */
  static DestinationResponseBody of(Response response, OptionalLong announced, Runnable end) {
    return new DestinationResponseBody(response, response.body().byteStream(), announced, end);
  }

  /** Of an answer that has none, whatever its head says of lengths. */
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
      // The library would wait for a byte.
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

  private int next(byte[] buffer, int offset, int length) throws IOException {
    try {
      return super.read(buffer, offset, length);
    } catch (IOException broken) {
      throw cutShort();
    }
  }

  /** Without the cause, whose text is not ours to answer for. */
  private static IOException cutShort() {
    return new IOException("the destination's answer was cut short");
  }
}
