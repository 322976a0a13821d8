package io.tokenvault.adapters.http.exchange;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;

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
    return new FilterInputStream(body) {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
      }

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
}
