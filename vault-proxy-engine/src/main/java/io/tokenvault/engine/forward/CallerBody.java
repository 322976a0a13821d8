package io.tokenvault.engine.forward;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import okhttp3.MediaType;
import okhttp3.RequestBody;
import okio.BufferedSink;

/** Passes a body on as it comes, and remembers if reading it failed. For one exchange. */
final class CallerBody extends RequestBody {

  private static final int BUFFER_SIZE = 16 * 1024;

  private final OutgoingBody body;
  private final Transmission transmission;
  private volatile IOException failure;

  CallerBody(OutgoingBody body, Transmission transmission) {
    this.body = body;
    this.transmission = transmission;
  }

  /** Why the body could not be read to its end; empty if it could, as far as it was read. */
  Optional<IOException> failure() {
    return Optional.ofNullable(failure);
  }

  @Override
  public MediaType contentType() {
    return null;
  }

  @Override
  public long contentLength() {
    return body.length().orElse(-1);
  }

  @Override
  public boolean isOneShot() {
    return true;
  }

  @Override
  public void writeTo(BufferedSink sink) throws IOException {
    InputStream content = body.content();
    byte[] buffer = new byte[BUFFER_SIZE];
    for (int count = read(content, buffer); count >= 0; count = read(content, buffer)) {
      sink.write(buffer, 0, count);
      if (content.available() == 0) {
        sink.flush();
      }
    }
    transmission.awaitAnswer();
  }

  /** However long the caller takes for it. */
  private int read(InputStream content, byte[] buffer) throws IOException {
    transmission.pauseSending();
    int count = readOn(content, buffer);
    if (count >= 0) {
      transmission.goOnSending();
    }
    return count;
  }

  private int readOn(InputStream content, byte[] buffer) throws IOException {
    try {
      return content.read(buffer);
    } catch (IOException unreadable) {
      failure = unreadable;
      throw unreadable;
    }
  }
}
