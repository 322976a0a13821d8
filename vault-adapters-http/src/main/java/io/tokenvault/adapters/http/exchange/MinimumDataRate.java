package io.tokenvault.adapters.http.exchange;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Enforces a minimum data rate on a caller, so that slow senders and receivers do not hold threads.
 * Only the time spent waiting for the caller counts, and the first 10 seconds of it are free. Not
 * thread-safe.
 */
public final class MinimumDataRate {

  /** The waiting time after which the data rate counts, in nanoseconds. */
  static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final int bytesPerSecond;
  private long waited;
  private long bytes;

  /**
   * Creates a check for one body.
   *
   * @param bytesPerSecond the lowest acceptable average; 0 for no minimum
   */
  public MinimumDataRate(int bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  /**
   * Returns a stream whose reads fail if the caller sends the body too slowly.
   *
   * @param body the request body to read
   * @param bytesPerSecond the lowest acceptable average; 0 for no minimum
   */
  public static InputStream limit(InputStream body, int bytesPerSecond) {
    MinimumDataRate rate = new MinimumDataRate(bytesPerSecond);
    return new LimitedStream(body) {
      @Override
      public int read(byte[] buffer, int offset, int length) throws IOException {
        long start = System.nanoTime();
        int count = in.read(buffer, offset, length);
        rate.record(System.nanoTime() - start, count);
        return count;
      }
    };
  }

  /**
   * Records a finished read or write, and fails if the average is too low.
   *
   * @param nanos how long the read or write waited for the caller
   * @param count how many bytes were transferred; negative for the end of the body, which never
   *     fails
   * @throws IOException if the average data rate so far is below the minimum
   */
  public void record(long nanos, int count) throws IOException {
    waited += nanos;
    bytes += Math.max(0, count);
    if (count >= 0
        && waited > GRACE_NANOS
        && bytes < bytesPerSecond * (waited / NANOS_PER_SECOND)) {
      throw new IOException("the caller sent or received too slowly");
    }
  }

  /** A stream whose single bytes are read like all others. */
  private abstract static class LimitedStream extends FilterInputStream {

    LimitedStream(InputStream body) {
      super(body);
    }

    @Override
    public final int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public abstract int read(byte[] buffer, int offset, int length) throws IOException;
  }

  /**
   * A request body that has to arrive before a deadline, which depends on its size.
   *
   * <p>The deadline is a grace period plus the time that the body's size takes at 10 KB/s. The size
   * is the announced length or the number of bytes received, whichever is larger. A read past the
   * deadline fails with an {@link IOException}, so that a caller cannot hold a thread with a body
   * that trickles in.
   */
  public static final class BodyDeadline extends LimitedStream {

    private static final long NANOS_PER_BYTE = TimeUnit.SECONDS.toNanos(1) / 10_000;

    private final LongSupplier nanos;
    private final LongConsumer readLimit;
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
     * @param nanos supplies a time in nanoseconds that never decreases
     * @param readLimit sets after how many milliseconds a blocked read fails
     */
    public BodyDeadline(
        InputStream body,
        long announced,
        long graceNanos,
        LongSupplier nanos,
        LongConsumer readLimit) {
      super(body);
      this.nanos = nanos;
      this.readLimit = readLimit;
      this.graceNanos = graceNanos;
      this.announced = announced;
      this.start = nanos.getAsLong();
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
        readLimit.accept(Math.max(1, TimeUnit.NANOSECONDS.toMillis(remaining())));
      }
      int count = in.read(buffer, offset, length);
      received += Math.max(0, count);
      if (count >= 0 && remaining() < 0) {
        throw new SocketTimeoutException("the body took too long");
      }
      return count;
    }

    /** Returns the time until the deadline in nanoseconds; negative once it has passed. */
    private long remaining() {
      long allowed = graceNanos + Math.max(announced, received) * NANOS_PER_BYTE;
      return allowed - (nanos.getAsLong() - start);
    }
  }
}
