package io.tokenvault.engine.filter.value;

import io.tokenvault.engine.filter.value.EvaluationLimits.LimitsSpentException;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** Budget of time, work and memory that all templates of one request share. Not thread-safe. */
public final class EvaluationBudget {

  /**
   * Bytes of printed text that a request keeps until all of it is known: twice the largest body.
   */
  static final long MAX_BYTES = 24L << 20;

  /** The budget of a request, as a multiple of the limits of one template. */
  private static final int TEMPLATES = 5;

  private final LongSupplier nanoTime;
  private long nanos = TEMPLATES * EvaluationLimits.MAX_NANOS;
  private long work = TEMPLATES * EvaluationLimits.MAX_WORK;
  private long bytes = MAX_BYTES;

  /**
   * Creates a budget of which nothing is spent.
   *
   * @param nanoTime a clock like {@link System#nanoTime}
   */
  public EvaluationBudget(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Evaluates a template within what is left, and charges the time and the work that it took.
   *
   * @throws LimitsSpentException if a limit is exceeded
   */
  public <T> T spend(Function<EvaluationLimits, T> template) {
    EvaluationLimits limits =
        new EvaluationLimits(
            nanoTime,
            Math.min(EvaluationLimits.MAX_NANOS, nanos),
            Math.min(EvaluationLimits.MAX_WORK, work));
    try {
      return template.apply(limits);
    } finally {
      nanos -= limits.elapsed();
      work -= limits.worked();
    }
  }

  /**
   * Releases the memory of kept texts, before everything is evaluated again. Time and work that
   * were spent remain spent.
   */
  public void startOver() {
    bytes = MAX_BYTES;
  }

  /**
   * Charges a text that is kept, and returns it.
   *
   * @throws LimitsSpentException if the texts exceed 24 MiB
   */
  public String kept(String text) {
    bytes -= TextValues.size(text);
    if (bytes < 0) {
      throw new LimitsSpentException("the expressions of a request may print at most 24 MiB");
    }
    return text;
  }
}
