package io.tokenvault.benchmark;

import io.tokenvault.benchmark.program.BenchmarkOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A subcommand of the benchmark, which measures one aspect. */
abstract class BenchmarkPart implements Callable<Integer> {

  @Mixin final BenchmarkOptions options = new BenchmarkOptions();

  final Report report = new Report();

  private final String title;

  BenchmarkPart(String title) {
    this.title = title;
  }

  @Override
  public final Integer call() {
    report.startPart(title, options);
    try (TestBed testBed = TestBed.start(options)) {
      measure(testBed);
    }
    return 0;
  }

  abstract void measure(TestBed testBed);
}
