package io.tokenvault.adapters.http;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Ends what a caller sends or takes so slowly that it holds a thread for nothing. Only time in
 * which the caller was waited for counts. For one thread.
 */
final class Pace {

  static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final int bytesPerSecond;
  private long waited;
  private long bytes;

  /**
   * @param bytesPerSecond the least that is put up with; 0 for anything
   */
  Pace(int bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  /**
   * @param nanos how long the caller was waited for
   * @param count how many bytes came or went then; negative for the end
   * @throws IOException if that was too slow, all in all
   */
  void note(long nanos, int count) throws IOException {
    waited += nanos;
    bytes += Math.max(0, count);
    if (count >= 0
        && waited > GRACE_NANOS
        && bytes < bytesPerSecond * (waited / NANOS_PER_SECOND)) {
      throw new IOException("the caller was too slow");
    }
  }
}
