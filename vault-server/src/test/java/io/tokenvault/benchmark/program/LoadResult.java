package io.tokenvault.benchmark.program;

import java.util.Locale;
import java.util.Map;

/**
 * The result of a load test.
 *
 * @param perSecond completed requests per second
 * @param times latencies; NaN if they were not measured
 * @param cpuMicros CPU time of all programs per request, including the load generator
 * @param errors responses other than 2xx and 3xx, and connections that failed or timed out
 */
public record LoadResult(
    long requests, double perSecond, Times times, double cpuMicros, long errors) {

  /** The median and the 99th percentile of the latency, in milliseconds. */
  public record Times(double p50, double p99) {

    private static final Times UNKNOWN = new Times(Double.NaN, Double.NaN);

    @Override
    public String toString() {
      return Double.isNaN(p50)
          ? " ".repeat(31)
          : String.format(Locale.ROOT, "  p50 %7.2f ms  p99 %7.2f ms", p50, p99);
    }
  }

  public static LoadResult ofWrk(Map<String, Double> figures, double cpuMicros) {
    double requests = figures.get("requests");
    return new LoadResult(
        (long) requests,
        requests / (figures.get("duration_us") / 1e6),
        new Times(figures.get("p50_us") / 1e3, figures.get("p99_us") / 1e3),
        cpuMicros / requests,
        figures.get("errors").longValue());
  }

  public static LoadResult ofPgBench(long transactions, double perSecond, double cpuMicros) {
    return new LoadResult(transactions, perSecond, Times.UNKNOWN, cpuMicros / transactions, 0);
  }

  /**
   * Checks that all requests succeeded.
   *
   * @param minimum the minimum number of requests
   * @throws IllegalStateException if a request failed, or there were too few
   */
  public LoadResult withoutErrors(String name, long minimum) {
    if (errors > 0 || requests < minimum) {
      throw new IllegalStateException(
          name + ": " + errors + " errors, " + requests + " requests; the run is invalid");
    }
    return this;
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%8.0f/s%s  CPU %6.0f us", perSecond, times, cpuMicros);
  }
}
