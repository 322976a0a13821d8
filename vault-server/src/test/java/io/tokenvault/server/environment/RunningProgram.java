package io.tokenvault.server.environment;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A program in the background. It is stopped when this JVM exits, at the latest. */
public final class RunningProgram implements AutoCloseable {

  private static final Duration START_TIMEOUT = Duration.ofSeconds(120);
  public static final long POLL_INTERVAL_MILLIS = 5;
  private static final Pattern LISTENS_ON = Pattern.compile("listens on (https?://\\S+)");

  private final String name;
  private final Process process;
  private final Path output;
  private final Thread shutdownHook;

  private RunningProgram(String name, Process process, Path output) {
    this.name = name;
    this.process = process;
    this.output = output;
    this.shutdownHook = new Thread(this::stop, "end-" + name);
    Runtime.getRuntime().addShutdownHook(shutdownHook);
  }

  /**
   * Starts a program.
   *
   * @param settings added to its environment, which does not inherit settings of the vault
   * @param directory where its output is stored
   */
  public static RunningProgram start(
      String name, Path directory, Map<String, String> settings, List<String> command) {
    Path output = Unchecked.get(() -> Files.createTempFile(directory, name + "-", ".txt"));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().keySet().removeIf(each -> each.startsWith("VAULT_"));
    builder.environment().putAll(settings);
    return new RunningProgram(name, Unchecked.get(builder::start), output);
  }

  /** Waits until the program prints the URL that it listens on, and returns that URL. */
  public String url() {
    long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
    while (process.isAlive() && System.nanoTime() < deadline) {
      Matcher listens = LISTENS_ON.matcher(output());
      if (listens.find()) {
        return listens.group(1);
      }
      pause(POLL_INTERVAL_MILLIS);
    }
    throw new IllegalStateException(name + " does not listen:\n" + output());
  }

  public static void pause(long millis) {
    Unchecked.run(() -> Thread.sleep(millis));
  }

  public String output() {
    return Unchecked.get(() -> Files.readString(output, StandardCharsets.UTF_8));
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  public long pid() {
    return process.pid();
  }

  private void stop() {
    process.destroy();
    if (!Unchecked.get(() -> process.waitFor(30, TimeUnit.SECONDS))) {
      process.destroyForcibly();
    }
  }

  /** Terminates the program and waits for its end. */
  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(shutdownHook);
    stop();
  }
}
