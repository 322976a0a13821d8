package io.tokenvault.adapters.http.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tokenvault.adapters.http.request.RequestReader.BodyDeadline;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class BodyDeadlineTest {

  private static final long GRACE = TimeUnit.SECONDS.toNanos(30);
  private static final int BYTES_OF_TEN_SECONDS = 100_000;

  private final AtomicLong now = new AtomicLong(5);
  private final AtomicLong readLimit = new AtomicLong();

  private InputStream body(int announced, InputStream bytes) {
    return new BodyDeadline(bytes, announced, GRACE, now::get, readLimit::set);
  }

  /** Returns a stream with nothing available, so that every read counts as waiting. */
  private static InputStream slowStream(int size) {
    return new ByteArrayInputStream(new byte[size]) {
      @Override
      public synchronized int available() {
        return 0;
      }
    };
  }

  private void advance(long seconds) {
    now.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  @Test
  void announcedSizeSetsDeadlineFromTheStart() throws IOException {
    InputStream body = body(BYTES_OF_TEN_SECONDS, slowStream(BYTES_OF_TEN_SECONDS));
    advance(39);
    assertThat(body.readNBytes(10)).hasSize(10);
    assertThat(readLimit).hasValue(1_000);
    advance(2);
    assertThatThrownBy(body::read).isInstanceOf(SocketTimeoutException.class);
  }

  @Test
  void receivedBytesExtendDeadlineOfUnannouncedSize() throws IOException {
    InputStream body = body(-1, slowStream(2 * BYTES_OF_TEN_SECONDS));
    advance(29);
    assertThat(body.readNBytes(BYTES_OF_TEN_SECONDS)).hasSize(BYTES_OF_TEN_SECONDS);
    advance(10);
    assertThat(body.read()).isZero();
    advance(2);
    assertThatThrownBy(body::read).isInstanceOf(SocketTimeoutException.class);
  }

  @Test
  void slowTrickleMissesTheDeadline() throws IOException {
    InputStream body = body(-1, slowStream(1_000));
    for (int i = 0; i < 30; i++) {
      assertThat(body.readNBytes(10)).hasSize(10);
      advance(1);
    }
    assertThat(readLimit).hasValueLessThan(1_100);
    advance(1);
    assertThatThrownBy(body::read).isInstanceOf(SocketTimeoutException.class);
  }

  @Test
  void receivedBytesAreReadWithoutTimeLimit() throws IOException {
    InputStream body = body(3, new ByteArrayInputStream(new byte[3]));
    assertThat(body.readNBytes(3)).hasSize(3);
    assertThat(readLimit).hasValue(0);
  }

  @Test
  void endOfBodyIsNeverTooLate() throws IOException {
    InputStream body = body(-1, slowStream(0));
    advance(100);
    assertThat(body.read()).isEqualTo(-1);
    assertThat(readLimit).hasValue(1);
  }
}
