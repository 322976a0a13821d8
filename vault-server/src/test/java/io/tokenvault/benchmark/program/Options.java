package io.tokenvault.benchmark.program;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** What every part can be told. */
public final class Options {

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
      description = "the program java for the vault and the forwarder; default: this one's")
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

  /** As the vault's Java says it. */
  public String javaVersion() {
    try {
      Process asked = new ProcessBuilder(java, "--version").redirectErrorStream(true).start();
      try (BufferedReader said = asked.inputReader()) {
        return said.readLine();
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Returns the JVM of the forwarder. */
  public Jvm jvm() {
    return new Jvm(java, List.of("-Xmx" + heap));
  }

  /** Returns the JVM of the vault. */
  Jvm vaultJvm() {
    List<String> all = new ArrayList<>(jvm().options());
    all.addAll(jvmOptions);
    return new Jvm(java, all);
  }
}
