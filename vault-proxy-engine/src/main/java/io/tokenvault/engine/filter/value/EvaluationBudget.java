package io.tokenvault.engine.filter.value;

import java.util.function.Function;
import java.util.function.LongSupplier;

/** What all templates of one request may use together. For one thread. */
public final class EvaluationBudget {

  /** Twice the largest body: what was printed is kept until all of a request is known. */
  static final long MAX_BYTES = 24L << 20;

  private static final int TEMPLATES = 5;

  private final LongSupplier nanoTime;
  private long nanos = TEMPLATES * EvaluationLimits.MAX_NANOS;
  private long work = TEMPLATES * EvaluationLimits.MAX_WORK;
  private long bytes = MAX_BYTES;

  /**
   * @param nanoTime a clock like {@link System#nanoTime}
   */
  public EvaluationBudget(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Evaluates a template. Only the time that this takes is counted. */
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

  /** Forgets the texts that were noted, since all is done again. What was spent stays spent. */
  public void startOver() {
    bytes = MAX_BYTES;
  }

  /** Notes a text that will be kept. */
  public String kept(String text) {
    bytes -= TextValues.size(text);
    if (bytes < 0) {
      throw new LimitsSpentException("the expressions of a request may print at most 24 MiB");
    }
    return text;
  }
}
