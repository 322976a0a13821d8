package io.tokenvault.engine.forward;

import java.io.FilterInputStream;
import java.io.IOException;
import okhttp3.Response;

/** The body of an answer as it arrives; closing it ends the exchange. */
final class AnswerBody extends FilterInputStream {

  private final Response response;

  AnswerBody(Response response) {
    super(response.body().byteStream());
    this.response = response;
  }

  @Override
  public void close() {
    response.close();
  }

  @Override
  public int read() throws IOException {
    try {
      return super.read();
    } catch (IOException broken) {
      throw cutShort();
    }
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    if (length == 0) {
      // The library would wait for a byte.
      return 0;
    }
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
