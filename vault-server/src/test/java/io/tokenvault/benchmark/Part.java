package io.tokenvault.benchmark;

import io.tokenvault.benchmark.program.Options;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A subcommand of the benchmark, which measures one aspect. */
abstract class Part implements Callable<Integer> {

  @Mixin final Options options = new Options();

  final Report report = new Report();

  private final String title;

  Part(String title) {
    this.title = title;
  }

  @Override
  public final Integer call() {
    report.part(title, options);
    try (Stand stand = Stand.start(options)) {
      measure(stand);
    }
    return 0;
  }

  abstract void measure(Stand stand);
}
