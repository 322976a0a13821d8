package io.tokenvault.benchmark;

import io.tokenvault.benchmark.program.Load;
import io.tokenvault.benchmark.program.Options;
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
final class Contest {

  private final Report report;
  private final Options options;
  private final Map<String, Entrant> entrants = new LinkedHashMap<>();
  private String yardstick;

  private record Entrant(
      IntFunction<Load> measurement, Figures rates, Figures tails, Figures cpu) {}

  Contest(Report report, Options options) {
    this.report = report;
    this.options = options;
  }

  /**
   * Adds a program. The first one is the baseline of the comparison.
   *
   * @param measurement receives its duration in seconds
   */
  Contest enter(String name, IntFunction<Load> measurement) {
    if (entrants.isEmpty()) {
      yardstick = name;
    }
    entrants.put(name, new Entrant(measurement, new Figures(), new Figures(), new Figures()));
    return this;
  }

  /** Warms up, and measures and prints all rounds. */
  Contest run() {
    entrants.forEach((name, each) -> each.measurement.apply(options.warmup).withoutErrors(name, 0));
    for (int round = 1; round <= options.rounds; round++) {
      report.line("round %d, load %s", round, Report.load());
      round();
    }
    report.line("ratio to %s in the same round, median (min to max):", yardstick);
    return this;
  }

  private void round() {
    Map<String, Load> loads = new LinkedHashMap<>();
    entrants.forEach(
        (name, each) -> {
          Load load = each.measurement.apply(options.seconds).withoutErrors(name, 1);
          report.line("  %-22s %s", name, load);
          loads.put(name, load);
        });
    Load base = loads.get(yardstick);
    loads.forEach(
        (name, load) -> {
          Entrant entrant = entrants.get(name);
          entrant.rates.add(load.perSecond() / base.perSecond());
          entrant.tails.add(load.times().p99() / base.times().p99());
          entrant.cpu.add(base.cpuMicros() / load.cpuMicros());
        });
  }

  /** Returns the request rate as a share of the baseline's. */
  Figures rate(String name) {
    return entrants.get(name).rates;
  }

  Contest tellRate(String name, String wanted) {
    report.line("  %-22s %s   %s", name, rate(name), wanted);
    report.line("  %-22s %s", "  by CPU time", entrants.get(name).cpu);
    return this;
  }

  /** Prints the 99th percentile of the latency, as a multiple of the baseline's. */
  Contest tellTail(String name, String wanted) {
    report.line("  %-22s %s   %s", "p99 of " + name, entrants.get(name).tails, wanted);
    return this;
  }
}
