package io.tokenvault.benchmark;

import io.tokenvault.benchmark.Tool.MissingToolException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The program; docs/performance.md says how to run it. */
@Command(
    name = "benchmark",
    description = "Measures the vault beside nginx and pgbench on the same machine.",
    subcommands = {ProxyPart.class},
    mixinStandardHelpOptions = true)
final class Benchmark {

  private Benchmark() {}

  public static void main(String[] arguments) {
    CommandLine line = new CommandLine(new Benchmark());
    line.setExecutionExceptionHandler(
        (failure, command, parsed) -> {
          if (failure instanceof MissingToolException) {
            System.out.println("skipped: " + failure.getMessage());
            return 0;
          }
          throw failure;
        });
    System.exit(line.execute(arguments));
  }
}
