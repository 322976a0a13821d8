package io.tokenvault.benchmark;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** The samples of a metric over several rounds. */
final class Samples {

  private final List<Double> values = new ArrayList<>();

  void add(double sample) {
    values.add(sample);
  }

  double median() {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  /** Returns the 10th percentile, which excludes delays by other load on the machine. */
  double tenthPercentile() {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.get(sorted.size() / 10);
  }

  /** Returns the median and the range. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%.3f (%.3f to %.3f)",
        median(),
        Collections.min(values),
        Collections.max(values));
  }
}
