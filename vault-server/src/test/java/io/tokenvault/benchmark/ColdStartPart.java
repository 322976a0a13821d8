package io.tokenvault.benchmark;

import io.tokenvault.benchmark.program.LoadResult;
import io.tokenvault.benchmark.program.VaultUnderTest;
import io.tokenvault.benchmark.program.Wrk;
import io.tokenvault.benchmark.program.WrkRequest;
import io.tokenvault.server.environment.RunningProgram;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the request rate after a start with a class archive, as a share of the steady rate. */
@Command(
    name = "coldstart",
    description = "the rate in the first seconds after a start, as a share of the steady rate",
    mixinStandardHelpOptions = true)
final class ColdStartPart extends BenchmarkPart {

  private static final int CONNECTIONS = 32;
  private static final int INTERVAL = 5;

  /** The number of seconds after which the rate is steady. */
  private static final int STEADY_AFTER = 75;

  /** The first seconds of the reported intervals. */
  private static final List<Integer> REPORTED = List.of(0, 10, 20);

  @Option(
      names = "--jdk",
      description = "a java executable to compare; can be repeated; default: that of --java")
  private List<String> javas = List.of();

  ColdStartPart() {
    super("Cold start");
  }

  @Override
  void measure(TestBed testBed) {
    WrkRequest request = ProxiedRequest.withTokens(testBed.createCaller(), 1).wrkRequest();
    testBed.vault().close();
    Wrk wrk = Wrk.of("cold", testBed.workspace(), List.of(request), CONNECTIONS);
    for (String java : javas.isEmpty() ? List.of(options.java) : javas) {
      options.java = java;
      report.line("%s", options.javaVersion());
      VaultUnderTest.createArchive(testBed.workspace(), options);
      Samples ready = new Samples();
      Map<Integer, Samples> shares = new LinkedHashMap<>();
      REPORTED.forEach(second -> shares.put(second, new Samples()));
      for (int round = 1; round <= options.rounds; round++) {
        RateCurve curve = measureCurve(testBed, wrk);
        report.line("round %d, load %s: %s", round, Report.loadAverage(), curve);
        ready.add(curve.secondsToReady());
        shares.forEach((second, samples) -> samples.add(curve.share(second)));
      }
      report.line("  ready after, seconds      %s", ready);
      shares.forEach(
          (second, samples) ->
              report.line("  seconds %2d to %2d           %s", second, second + INTERVAL, samples));
    }
  }

  /** Starts the vault on existing data and measures until the rate is steady. */
  private RateCurve measureCurve(TestBed testBed, Wrk wrk) {
    try (VaultUnderTest vault =
        VaultUnderTest.start(testBed.workspace(), options, testBed.destination())) {
      int seconds = STEADY_AFTER + 2 * INTERVAL;
      long before = testBed.destination().requests();
      CompletableFuture<LoadResult> load =
          CompletableFuture.supplyAsync(() -> wrk.run(vault.url(), seconds));
      long begin = System.nanoTime();
      List<Double> rates = new ArrayList<>();
      double last = 0;
      for (int end = INTERVAL; end <= seconds; end += INTERVAL) {
        RunningProgram.pause(Math.max(0, end * 1000L - (System.nanoTime() - begin) / 1_000_000));
        double now = (System.nanoTime() - begin) / 1e9;
        long requests = testBed.destination().requests();
        rates.add((requests - before) / (now - last));
        before = requests;
        last = now;
      }
      load.join().withoutErrors("cold start", 1);
      return new RateCurve(vault.secondsToReady(), rates);
    }
  }

  /** The requests per second at the destination in each interval; the last two are steady. */
  private record RateCurve(double secondsToReady, List<Double> rates) {

    double share(int second) {
      return rates.get(second / INTERVAL) / steady();
    }

    private double steady() {
      int size = rates.size();
      return (rates.get(size - 1) + rates.get(size - 2)) / 2;
    }

    @Override
    public String toString() {
      return String.format(
          "ready after %.2f s; requests per second, every %d s: %s",
          secondsToReady, INTERVAL, rates.stream().map(Math::round).toList());
    }
  }
}
