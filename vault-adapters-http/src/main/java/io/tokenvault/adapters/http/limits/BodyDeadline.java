package io.tokenvault.adapters.http.limits;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * A body that ends with a failure where it does not arrive within a time and, beyond that, as long
 * as its size takes at 10 KB/s. What was announced counts as its size, and what has arrived.
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
   * @param announced in bytes; negative if the body does not say
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

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
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

  /** In nanoseconds; negative when it is over. */
  private long left() {
    long allowed = graceNanos + Math.max(announced, received) * NANOS_PER_BYTE;
    return allowed - (clock.nanos().getAsLong() - start);
  }

  /**
   * @param nanos only goes forward
   * @param limit ends reads that wait for so many milliseconds
   */
  public record Clock(LongSupplier nanos, LongConsumer limit) {}
}
