package io.tokenvault.benchmark;

import java.util.Locale;
import java.util.Map;

/**
 * What wrk measured.
 *
 * @param perSecond requests that were answered
 * @param p50Millis half of the answers took no longer
 * @param errors answers other than 2xx and 3xx, and connections that broke or timed out
 */
record Load(long requests, double perSecond, double p50Millis, double p99Millis, long errors) {

  static Load parse(Map<String, Double> figures) {
    double seconds = figures.get("duration_us") / 1e6;
    return new Load(
        figures.get("requests").longValue(),
        figures.get("requests") / seconds,
        figures.get("p50_us") / 1e3,
        figures.get("p99_us") / 1e3,
        figures.get("errors").longValue());
  }

  /**
   * @throws IllegalStateException if one request was not answered well
   */
  Load withoutErrors(String what) {
    if (errors > 0 || requests == 0) {
      throw new IllegalStateException(
          what + ": " + errors + " errors, " + requests + " requests; the run does not count");
    }
    return this;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%8.0f/s  p50 %7.2f ms  p99 %7.2f ms", perSecond, p50Millis, p99Millis);
  }
}
