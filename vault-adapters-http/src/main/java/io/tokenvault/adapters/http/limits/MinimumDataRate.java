package io.tokenvault.adapters.http.limits;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;

/**
 * Ends what a caller sends or takes so slowly that it holds a thread for nothing. Only time in
 * which the caller was waited for counts. For one thread.
 */
public final class MinimumDataRate {

  static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final int bytesPerSecond;
  private long waited;
  private long bytes;

  /**
   * @param bytesPerSecond the least that is put up with; 0 for anything
   */
  public MinimumDataRate(int bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  /** Returns a body that fails where it comes more slowly than that. */
  public static InputStream limit(InputStream body, int bytesPerSecond) {
    return new PacedStream(body, new MinimumDataRate(bytesPerSecond));
  }

  /**
   * @param nanos how long the caller was waited for
   * @param count how many bytes came or went then; negative for the end
   * @throws IOException if that was too slow, all in all
   */
  public void note(long nanos, int count) throws IOException {
    waited += nanos;
    bytes += Math.max(0, count);
    if (count >= 0
        && waited > GRACE_NANOS
        && bytes < bytesPerSecond * (waited / NANOS_PER_SECOND)) {
      throw new IOException("the caller was too slow");
    }
  }

  /** A body that ends with a failure where it comes too slowly. */
  private static final class PacedStream extends FilterInputStream {

    private final MinimumDataRate pace;

    PacedStream(InputStream body, MinimumDataRate pace) {
      super(body);
      this.pace = pace;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      long start = System.nanoTime();
      int count = super.read(buffer, offset, length);
      pace.note(System.nanoTime() - start, count);
      return count;
    }
  }
}
