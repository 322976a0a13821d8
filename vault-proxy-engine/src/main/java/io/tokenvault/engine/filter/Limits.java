package io.tokenvault.engine.filter;

import java.time.Duration;
import java.util.function.LongSupplier;

/** What the expressions of one template may use together. For one thread. */
public final class Limits {

  /** How much one value may be on its way through the filters, and how much all may print. */
  public static final int MAX_BYTES = 1 << 20;

  private static final long MAX_NANOS = Duration.ofSeconds(1).toNanos();

  private final LongSupplier nanoTime;
  private final long start;
  private long printed;

  private Limits(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.start = nanoTime.getAsLong();
  }

  /**
   * Time runs from now.
   *
   * @param nanoTime a clock like {@link System#nanoTime}
   */
  public static Limits start(LongSupplier nanoTime) {
    return new Limits(nanoTime);
  }

  /** Has to be called often: this is the only thing that ends a slow evaluation. */
  public void checkTime() {
    if (nanoTime.getAsLong() - start > MAX_NANOS) {
      throw new LimitsSpentException("the expressions take too long");
    }
  }

  /** Notes a text that an expression printed. */
  public String printed(String text) {
    printed += Texts.size(text);
    if (printed > MAX_BYTES) {
      throw new LimitsSpentException("the expressions may print at most 1 MiB together");
    }
    return text;
  }
}
