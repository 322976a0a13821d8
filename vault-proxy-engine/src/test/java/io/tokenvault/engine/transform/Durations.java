package io.tokenvault.engine.transform;

import java.util.Arrays;

/** Durations in one unit and their quantiles. */
final class Durations {

  private final double[] all;
  private int count;

  Durations(int maxCount) {
    all = new double[maxCount];
  }

  void add(double duration) {
    all[count++] = duration;
  }

  /** Returns the duration that the given share of all does not exceed. */
  double quantile(double share) {
    double[] sorted = Arrays.copyOf(all, count);
    Arrays.sort(sorted);
    return sorted[(int) Math.min(count - 1L, Math.round(share * (count - 1)))];
  }

  double median() {
    return quantile(0.5);
  }
}
