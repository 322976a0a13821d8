package io.tokenvault.benchmark;

import io.tokenvault.benchmark.program.BenchmarkOptions;
import io.tokenvault.benchmark.program.LoadResult;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Compares several programs, which take turns in each round, so that other load on the machine
 * affects all equally. Only results of the same round are compared.
 *
 * <p>The ratio of CPU time is the ratio of the rates on an otherwise idle machine that is limited
 * by its CPU.
 */
final class Comparison {

  private final Report report;
  private final BenchmarkOptions options;
  private final Map<String, Candidate> candidates = new LinkedHashMap<>();
  private String baseline;

  private record Candidate(
      IntFunction<LoadResult> measurement, Samples rates, Samples p99s, Samples cpu) {}

  Comparison(Report report, BenchmarkOptions options) {
    this.report = report;
    this.options = options;
  }

  /**
   * Adds a program. The first one is the baseline of the comparison.
   *
   * @param measurement receives its duration in seconds
   */
  Comparison add(String name, IntFunction<LoadResult> measurement) {
    if (candidates.isEmpty()) {
      baseline = name;
    }
    candidates.put(name, new Candidate(measurement, new Samples(), new Samples(), new Samples()));
    return this;
  }

  /** Warms up, and measures and prints all rounds. */
  Comparison run() {
    candidates.forEach(
        (name, each) -> each.measurement.apply(options.warmup).withoutErrors(name, 0));
    for (int round = 1; round <= options.rounds; round++) {
      report.line("round %d, load %s", round, Report.loadAverage());
      measureRound();
    }
    report.line("ratio to %s in the same round, median (min to max):", baseline);
    return this;
  }

  private void measureRound() {
    Map<String, LoadResult> loads = new LinkedHashMap<>();
    candidates.forEach(
        (name, each) -> {
          LoadResult load = each.measurement.apply(options.seconds).withoutErrors(name, 1);
          report.line("  %-22s %s", name, load);
          loads.put(name, load);
        });
    LoadResult base = loads.get(baseline);
    loads.forEach(
        (name, load) -> {
          Candidate candidate = candidates.get(name);
          candidate.rates.add(load.perSecond() / base.perSecond());
          candidate.p99s.add(load.times().p99() / base.times().p99());
          candidate.cpu.add(base.cpuMicros() / load.cpuMicros());
        });
  }

  /** Returns the request rate as a share of the baseline's. */
  Samples rate(String name) {
    return candidates.get(name).rates;
  }

  Comparison reportRate(String name, String wanted) {
    report.line("  %-22s %s   %s", name, rate(name), wanted);
    report.line("  %-22s %s", "  by CPU time", candidates.get(name).cpu);
    return this;
  }

  /** Prints the 99th percentile of the latency, as a multiple of the baseline's. */
  Comparison reportP99(String name, String wanted) {
    report.line("  %-22s %s   %s", "p99 of " + name, candidates.get(name).p99s, wanted);
    return this;
  }
}
