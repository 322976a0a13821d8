package io.tokenvault.benchmark.program;

import io.tokenvault.server.environment.ProgramRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options of all parts. */
public final class BenchmarkOptions {

  @Option(names = "--rounds", defaultValue = "5", description = "default: ${DEFAULT-VALUE}")
  public int rounds;

  @Option(
      names = "--seconds",
      defaultValue = "10",
      description = "of each measurement; default: ${DEFAULT-VALUE}")
  public int seconds;

  @Option(
      names = "--warmup",
      defaultValue = "15",
      description = "seconds before the first round; default: ${DEFAULT-VALUE}")
  public int warmup;

  @Option(
      names = "--java",
      description =
          "the java executable for the vault and the forwarder; default: that of this JVM")
  public String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();

  @Option(
      names = "--heap",
      defaultValue = "512m",
      description = "-Xmx of the vault and the forwarder; default: ${DEFAULT-VALUE}")
  public String heap;

  @Option(names = "--jvm", split = " ", description = "further options for the vault's Java")
  public List<String> jvmOptions = List.of();

  @Option(
      names = "--set",
      description = "a setting of the vault, NAME=VALUE; default: the vault's own defaults")
  public Map<String, String> settings = Map.of();

  /** Returns the version line of the vault's Java. */
  public String javaVersion() {
    return ProgramRun.of(java, "--version").expectSuccess().lines().findFirst().orElseThrow();
  }

  /** Returns the heap and further options of the vault's JVM. */
  String vaultJvmOptions() {
    return String.join(" ", heapOption(), String.join(" ", jvmOptions));
  }

  /** Returns the only option of the forwarder's JVM. */
  String heapOption() {
    return "-Xmx" + heap;
  }
}
