package io.tokenvault.adapters.http.limits;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * A request body that has to arrive before a deadline, which depends on its size.
 *
 * <p>The deadline is a grace period plus the time that the body's size takes at 10 KB/s. The size
 * is the announced length or the number of bytes received, whichever is larger. A read past the
 * deadline fails with an {@link IOException}, so that a caller cannot hold a thread with a body
 * that trickles in.
 */
public final class BodyDeadline extends FilterInputStream {

  private static final int BYTES_PER_SECOND = 10_000;
  private static final long NANOS_PER_BYTE = TimeUnit.SECONDS.toNanos(1) / BYTES_PER_SECOND;

  private final Clock clock;
  private final long graceNanos;
  private final long start;
  private final long announced;
  private long received;

  /**
   * Starts the deadline now.
   *
   * @param body the body to read
   * @param announced the content length in bytes; negative if it is unknown
   * @param graceNanos the grace period in nanoseconds, whatever the size of the body
   * @param clock measures the time and limits single reads
   */
  public BodyDeadline(InputStream body, long announced, long graceNanos, Clock clock) {
    super(body);
    this.clock = clock;
    this.graceNanos = graceNanos;
    this.announced = announced;
    this.start = clock.nanos().getAsLong();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  /**
   * Reads some bytes, waiting for them until the deadline at most.
   *
   * @throws SocketTimeoutException if the bytes arrived after the deadline
   * @throws IOException if the connection fails, or stays idle until the deadline
   */
  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    // Only a read that may block needs a limit: bytes that are buffered are returned immediately.
    if (received != announced && in.available() == 0) {
      clock.limit().accept(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left())));
    }
    int count = super.read(buffer, offset, length);
    received += Math.max(0, count);
    if (count >= 0 && left() < 0) {
      throw new SocketTimeoutException("the body took too long");
    }
    return count;
  }

  /** Returns the time until the deadline in nanoseconds; negative once it has passed. */
  private long left() {
    long allowed = graceNanos + Math.max(announced, received) * NANOS_PER_BYTE;
    return allowed - (clock.nanos().getAsLong() - start);
  }

  /**
   * Measures time and limits how long a read may block; tests replace it.
   *
   * @param nanos supplies a time in nanoseconds that never decreases
   * @param limit sets after how many milliseconds a blocked read fails
   */
  public record Clock(LongSupplier nanos, LongConsumer limit) {}
}
