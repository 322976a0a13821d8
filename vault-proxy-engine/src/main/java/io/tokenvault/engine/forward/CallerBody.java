package io.tokenvault.engine.forward;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import okhttp3.MediaType;
import okhttp3.RequestBody;
import okio.BufferedSink;

/**
 * Streams a request's body to OkHttp and keeps the failure if the body cannot be read. An instance
 * serves one exchange.
 */
final class CallerBody extends RequestBody {

  private static final int BUFFER_SIZE = 16 * 1024;

  private final OutgoingBody body;
  private final Transmission transmission;
  private volatile IOException failure;

  CallerBody(OutgoingBody body, Transmission transmission) {
    this.body = body;
    this.transmission = transmission;
  }

  /** Returns why the body could not be read to its end; empty if no read has failed. */
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

  /**
   * Returns true: the caller's stream cannot be read again, so that OkHttp must not repeat the
   * request.
   */
  @Override
  public boolean isOneShot() {
    return true;
  }

  /**
   * Copies the body and flushes when the caller pauses, so that the destination receives a streamed
   * body without delay.
   */
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

  /**
   * Reads from the caller with the time limit for sending paused: it applies to the destination
   * only.
   */
  private int read(InputStream content, byte[] buffer) throws IOException {
    transmission.pauseSending();
    int count = readOn(content, buffer);
    if (count >= 0) {
      transmission.goOnSending();
    }
    return count;
  }

  /** Reads from the caller and keeps a failure. */
  private int readOn(InputStream content, byte[] buffer) throws IOException {
    try {
      return content.read(buffer);
    } catch (IOException unreadable) {
      failure = unreadable;
      throw unreadable;
    }
  }
}
