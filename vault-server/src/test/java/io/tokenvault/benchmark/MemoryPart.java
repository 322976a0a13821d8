package io.tokenvault.benchmark;

import io.tokenvault.benchmark.program.LoadResult;
import io.tokenvault.benchmark.program.Wrk;
import io.tokenvault.benchmark.program.WrkRequest;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;

/** Measures the live heap with many connections, and its growth over time. */
@Command(name = "memory", description = "the live heap under load", mixinStandardHelpOptions = true)
final class MemoryPart extends BenchmarkPart {

  private static final int CONNECTIONS = 256;

  MemoryPart() {
    super("Memory");
  }

  /** The live heap after a number of requests. */
  private record HeapSample(double requests, double live) {

    double slopeSince(HeapSample earlier) {
      return (live - earlier.live) / (requests - earlier.requests);
    }
  }

  @Override
  void measure(TestBed testBed) {
    WrkRequest request = ProxiedRequest.withTokens(testBed.createCaller(), 1).wrkRequest();
    Wrk wrk = Wrk.of("memory", testBed.workspace(), List.of(request), CONNECTIONS);
    String url = testBed.vault().url();
    JvmMemory memory = new JvmMemory(testBed.workspace(), options.java, testBed.vault().pid());
    long requests = wrk.run(url, options.warmup).withoutErrors("warm-up", 0).requests();
    List<HeapSample> samples = new ArrayList<>();
    report.line("%12s %12s %14s %8s", "requests", "live MiB", "resident MiB", "per s");
    for (int round = 0; round < options.rounds; round++) {
      LoadResult load = wrk.run(url, options.seconds).withoutErrors("vault", 1);
      requests += load.requests();
      samples.add(new HeapSample(requests, memory.liveMebibytes()));
      report.line(
          "%12d %12.1f %14.0f %8.0f",
          requests, samples.get(round).live(), memory.residentMebibytes(), load.perSecond());
    }
    report.line(
        "%d connections with -Xmx%s: no error; trend %.2f MiB for each million requests",
        CONNECTIONS, options.heap, samples.size() < 2 ? 0 : slope(samples) * 1e6);
  }

  /** Returns the median of the slopes between any two samples, which is robust to outliers. */
  private static double slope(List<HeapSample> samples) {
    Samples slopes = new Samples();
    for (int later = 1; later < samples.size(); later++) {
      for (int earlier = 0; earlier < later; earlier++) {
        slopes.add(samples.get(later).slopeSince(samples.get(earlier)));
      }
    }
    return slopes.median();
  }
}
