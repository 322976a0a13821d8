package io.tokenvault.benchmark;

import io.tokenvault.benchmark.program.CpuTime;
import io.tokenvault.benchmark.program.VaultUnderTest;
import picocli.CommandLine.Command;

/** Measures the time from the start of the process to readiness, with existing data. */
@Command(
    name = "start",
    description = "how long a start takes on existing data",
    mixinStandardHelpOptions = true)
final class StartPart extends BenchmarkPart {

  private static final int TOKENS = 10_000;

  StartPart() {
    super("Start");
  }

  @Override
  void measure(TestBed testBed) {
    ProxiedRequest.withTokens(testBed.createCaller(), 1);
    new TableFiller(testBed.vault().database()).addTokens(TOKENS);
    testBed.vault().close();
    VaultUnderTest.deleteArchives();
    measureRounds(testBed, "without a class archive");
    VaultUnderTest.createArchive(testBed.workspace(), options);
    measureRounds(testBed, "with the class archive of the launcher, at most 2");
  }

  private void measureRounds(TestBed testBed, String variant) {
    Samples seconds = new Samples();
    for (int round = 1; round <= options.rounds; round++) {
      double cpu = CpuTime.micros();
      double taken = secondsToReady(testBed);
      report.line(
          "round %d, load %s: %.2f s, CPU time %.2f s",
          round, Report.loadAverage(), taken, (CpuTime.micros() - cpu) / 1e6);
      seconds.add(taken);
    }
    report.line("seconds, median (min to max): %s   %s", seconds, variant);
  }

  private double secondsToReady(TestBed testBed) {
    try (VaultUnderTest vault =
        VaultUnderTest.start(testBed.workspace(), options, testBed.destination())) {
      return vault.secondsToReady();
    }
  }
}
