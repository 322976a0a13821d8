package io.tokenvault.engine.filter.value;

import java.time.Duration;
import java.util.function.LongSupplier;

/** What the expressions of one template may use together. For one thread. */
public final class EvaluationLimits {

  /** How much one value may be on its way through the filters, and how much all may print. */
  public static final int MAX_BYTES = 1 << 20;

  /** How much of a text a filter looks at that does more than cut or measure it. */
  public static final int MAX_TEXT = 64 << 10;

  public static final int MAX_ITEMS = 100_000;

  /** Characters and items that filters work on. */
  static final long MAX_WORK = 32L << 20;

  static final long MAX_NANOS = Duration.ofSeconds(1).toNanos();

  private final LongSupplier nanoTime;
  private final long start;
  private final long nanos;
  private final long work;
  private long worked;
  private long printed;

  EvaluationLimits(LongSupplier nanoTime, long nanos, long work) {
    this.nanoTime = nanoTime;
    this.start = nanoTime.getAsLong();
    this.nanos = nanos;
    this.work = work;
  }

  /**
   * Time runs from now.
   *
   * @param nanoTime a clock like {@link System#nanoTime}
   */
  public static EvaluationLimits start(LongSupplier nanoTime) {
    return new EvaluationLimits(nanoTime, MAX_NANOS, MAX_WORK);
  }

  /** Has to be called often: this is the only thing that ends a slow evaluation. */
  public void checkTime() {
    if (elapsed() > nanos) {
      throw new LimitsSpentException("the expressions take too long");
    }
  }

  long elapsed() {
    return nanoTime.getAsLong() - start;
  }

  /** Notes that a filter is about to work on so much: time alone depends on the machine. */
  public void work(long amount) {
    worked += amount;
    if (worked > work) {
      throw new LimitsSpentException("the expressions have too much to work on");
    }
  }

  long worked() {
    return worked;
  }

  /** A number of bytes, for messages. */
  public static String written(int bytes) {
    return bytes < MAX_BYTES ? (bytes >> 10) + " KiB" : (bytes >> 20) + " MiB";
  }

  /** Notes a text that an expression printed. */
  public String printed(String text) {
    printed += TextValues.size(text);
    if (printed > MAX_BYTES) {
      throw new LimitsSpentException("the expressions may print at most 1 MiB together");
    }
    return text;
  }
}
