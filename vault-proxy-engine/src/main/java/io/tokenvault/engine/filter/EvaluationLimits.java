package io.tokenvault.engine.filter;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Limits that the expressions of one template share: a second of time, 32 Mi characters and items
 * of work, and 1 MiB of output. Not thread-safe.
 */
public final class EvaluationLimits {

  /** Bytes of UTF-8 that one value may have between filters, and that all expressions may print. */
  public static final int MAX_BYTES = 1 << 20;

  /** Bytes of UTF-8 that a text may have for filters that do more than cut or measure it. */
  public static final int MAX_TEXT = 64 << 10;

  /** Items that a list may have. */
  public static final int MAX_ITEMS = 100_000;

  /** Characters and items that filters may process. */
  public static final long MAX_WORK = 32L << 20;

  /** Time that the expressions may take. */
  public static final long MAX_NANOS = Duration.ofSeconds(1).toNanos();

  private final LongSupplier nanoTime;
  private final long start;
  private final long nanos;
  private final long work;
  private long worked;
  private long printed;

  /** Creates limits whose time starts now. */
  public EvaluationLimits(LongSupplier nanoTime, long nanos, long work) {
    this.nanoTime = nanoTime;
    this.start = nanoTime.getAsLong();
    this.nanos = nanos;
    this.work = work;
  }

  /** Returns the limits of a template, whose time starts now. */
  public static EvaluationLimits start(LongSupplier nanoTime) {
    return new EvaluationLimits(nanoTime, MAX_NANOS, MAX_WORK);
  }

  /**
   * Checks the time. This must be called often, because nothing else ends a slow evaluation.
   *
   * @throws LimitsSpentException if the time is used up
   */
  public void checkTime() {
    if (elapsed() > nanos) {
      throw new LimitsSpentException("the expressions take too long");
    }
  }

  /** Returns the time since the limits were created, in nanoseconds. */
  public long elapsed() {
    return nanoTime.getAsLong() - start;
  }

  /**
   * Charges work before it is done. Time alone would make the limit depend on the machine.
   *
   * @param amount in characters and items
   * @throws LimitsSpentException if the filters process too much
   */
  public void work(long amount) {
    worked += amount;
    if (worked > work) {
      throw new LimitsSpentException("the expressions process too much data");
    }
  }

  /** Returns the work that was charged. */
  public long worked() {
    return worked;
  }

  /** Returns a number of bytes as text for messages. */
  public static String written(int bytes) {
    return bytes < MAX_BYTES ? (bytes >> 10) + " KiB" : (bytes >> 20) + " MiB";
  }

  /**
   * Charges a text that an expression prints, and returns it.
   *
   * @throws LimitsSpentException if the expressions print too much
   */
  public String printed(String text) {
    printed += TextValues.size(text);
    if (printed > MAX_BYTES) {
      throw new LimitsSpentException("the expressions may print at most 1 MiB together");
    }
    return text;
  }

  /** Thrown if the expressions of a template or a request exceed the limits that they share. */
  public static final class LimitsSpentException extends ExpressionException {

    private static final long serialVersionUID = 1L;

    public LimitsSpentException(String message) {
      super(message);
    }
  }
}
