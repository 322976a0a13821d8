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
  void measure(TestBed stand) {
    ProxiedRequest.withTokens(stand.caller(), 1);
    new TableFiller(stand.vault().database()).addTokens(TOKENS);
    stand.vault().close();
    VaultUnderTest.deleteArchives();
    rounds(stand, "without a class archive");
    VaultUnderTest.createArchive(stand.workspace(), options);
    rounds(stand, "with the class archive of the launcher, at most 2");
  }

  private void rounds(TestBed stand, String how) {
    Samples seconds = new Samples();
    for (int round = 1; round <= options.rounds; round++) {
      double cpu = CpuTime.micros();
      double taken = secondsToReady(stand);
      report.line(
          "round %d, load %s: %.2f s, CPU time %.2f s",
          round, Report.load(), taken, (CpuTime.micros() - cpu) / 1e6);
      seconds.add(taken);
    }
    report.line("seconds, median (min to max): %s   %s", seconds, how);
  }

  private double secondsToReady(TestBed stand) {
    try (VaultUnderTest vault =
        VaultUnderTest.start(stand.workspace(), options, stand.destination())) {
      return vault.secondsToReady();
    }
  }
}
