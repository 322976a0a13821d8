package io.tokenvault.benchmark;

import io.tokenvault.benchmark.program.Tool.MissingToolException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParseResult;

/** The main class of the benchmark; docs/performance.md describes how to run it. */
@Command(
    name = "benchmark",
    description = "Compares the vault with nginx and pgbench on the same machine.",
    subcommands = {
      ProxyPart.class,
      TransformPart.class,
      TokensPart.class,
      GrowthPart.class,
      MemoryPart.class,
      StartPart.class,
      ColdStartPart.class
    },
    subcommandsRepeatable = true,
    mixinStandardHelpOptions = true)
final class Benchmark {

  private Benchmark() {}

  public static void main(String[] arguments) {
    CommandLine line = new CommandLine(new Benchmark());
    line.setExecutionExceptionHandler(Benchmark::skipOrFail);
    System.exit(line.execute(arguments));
  }

  private static int skipOrFail(Exception failure, CommandLine line, ParseResult parsed)
      throws Exception {
    if (failure instanceof MissingToolException missing) {
      System.out.println("skipped: " + missing.getMessage());
      return 0;
    }
    throw failure;
  }
}
