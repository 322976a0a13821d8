package io.tokenvault.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The program in a JVM of its own, with what it was given and what it printed. */
final class VaultProcess implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final long MILLIS_BETWEEN_LOOKS = 20;
  private static final Pattern LISTENS = Pattern.compile("listens on (https?://\\S+)\\s");
  private static final Path OUTPUTS = Path.of("target", "process-output");

  private final String name;
  private final Process process;
  private final Path out;
  private final Path err;

  private VaultProcess(String name, Process process, Path out, Path err) {
    this.name = name;
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /** Starts a command; of the environment it sees these settings and no other. */
  static VaultProcess start(Map<String, String> settings, String... arguments) {
    return start("256m", settings, arguments);
  }

  private static VaultProcess start(
      String heap, Map<String, String> settings, String... arguments) {
    return start(VaultCommand.of(heap, arguments), settings, String.join(" ", arguments));
  }

  private static VaultProcess start(
      List<String> command, Map<String, String> settings, String name) {
    try {
      Files.createDirectories(OUTPUTS);
      Path out = Files.createTempFile(OUTPUTS, "stdout", ".txt");
      Path err = Files.createTempFile(OUTPUTS, "stderr", ".txt");
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
      builder.environment().keySet().removeIf(each -> each.startsWith("VAULT_"));
      builder.environment().putAll(settings);
      return new VaultProcess(name, builder.start(), out, err);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Runs a command to its end. */
  static VaultProcess run(Map<String, String> settings, String... arguments) {
    VaultProcess process = start(settings, arguments);
    process.awaitExit();
    return process;
  }

  /** The same by a command of its own. */
  static VaultProcess run(List<String> command, Map<String, String> settings) {
    VaultProcess process = start(command, settings, String.join(" ", command));
    process.awaitExit();
    return process;
  }

  /** Starts a server on a free port of the loopback interface and waits until it listens. */
  static VaultProcess serve(Map<String, String> settings) {
    return serve("256m", settings);
  }

  /**
   * The same with a heap of its own size.
   *
   * @param heap as {@code -Xmx} takes it
   */
  static VaultProcess serve(String heap, Map<String, String> settings) {
    return serve(VaultCommand.of(heap, "serve"), settings);
  }

  /**
   * The same with options of the JVM's.
   *
   * @param heap as {@code -Xmx} takes it
   */
  static VaultProcess serveWithOptions(
      String heap, List<String> options, Map<String, String> settings) {
    return serve(VaultCommand.withOptions(options, heap, "serve"), settings);
  }

  /** A server that can have no more than this many files and connections open. */
  static VaultProcess serveWithDescriptors(int limit, Map<String, String> settings) {
    return serve(VaultCommand.withDescriptors(limit, "256m", "serve"), settings);
  }

  /** The same by a command of its own. */
  static VaultProcess serve(List<String> command, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>(settings);
    all.putIfAbsent("VAULT_PORT", "0");
    // A worker is started when one is needed.
    all.putIfAbsent("VAULT_TRANSFORM_SPARE_WORKERS", "0");
    VaultProcess server = start(command, all, "serve");
    try {
      server.await(
          "a server that listens", () -> server.listening().find() || !server.process.isAlive());
      assertThat(server.process.isAlive()).as("%s", server).isTrue();
      return server;
    } catch (AssertionError failed) {
      server.close();
      throw failed;
    }
  }

  private Matcher listening() {
    return LISTENS.matcher(err());
  }

  /** The base URL that a server listens on. */
  String url() {
    Matcher listening = listening();
    assertThat(listening.find()).as("%s", this).isTrue();
    return listening.group(1);
  }

  String out() {
    return read(out);
  }

  String err() {
    return read(err);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  long pid() {
    return process.pid();
  }

  /** Whether this system tells of {@link #descriptors}. */
  static boolean canSeeDescriptors() {
    return Files.isReadable(Path.of("/proc/self/fd"));
  }

  /** How many files and connections it has open. */
  long descriptors() {
    try (Stream<Path> open = Files.list(Path.of("/proc", String.valueOf(pid()), "fd"))) {
      return open.count();
    } catch (IOException ended) {
      throw new UncheckedIOException(ended);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** The end is awaited, and it has to be this one. */
  VaultProcess expectExit(int code) {
    assertThat(awaitExit()).as("exit code of %s", this).isEqualTo(code);
    return this;
  }

  int awaitExit() {
    try {
      boolean ended = process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (!ended) {
        process.destroyForcibly();
      }
      assertThat(ended).as("%s has ended", this).isTrue();
      return process.exitValue();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  /** SIGTERM. */
  void terminate() {
    process.destroy();
  }

  /** {@code kill -9}. */
  void kill() {
    process.destroyForcibly();
    awaitExit();
  }

  /** Looks again and again, until it is so or too late. */
  void await(String what, BooleanSupplier condition) {
    awaitThat(what + "; " + this, condition);
  }

  static void awaitThat(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("still waiting for %s", what).isLessThan(deadline);
      pause();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(MILLIS_BETWEEN_LOOKS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  /** Ends it as a terminal would, and waits. */
  @Override
  public void close() {
    process.destroy();
    awaitExit();
  }

  @Override
  public String toString() {
    return name + "\nstdout: " + out() + "\nstderr: " + err();
  }
}
