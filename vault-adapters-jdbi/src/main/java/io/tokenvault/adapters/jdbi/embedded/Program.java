package io.tokenvault.adapters.jdbi.embedded;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A program of the operating system. It inherits no secret: the environment is cleared. */
final class Program {

  private final ProcessBuilder builder;

  private Program(List<String> command) {
    builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().retainAll(Set.of("PATH"));
    builder.environment().put("LC_ALL", "C");
  }

  static Program of(List<String> prefix, List<String> command) {
    List<String> all = new ArrayList<>(prefix);
    all.addAll(command);
    return new Program(all);
  }

  /** A shell script with its arguments. */
  static Program script(String text, String... arguments) {
    return of(List.of("sh", "-c", text, "sh"), List.of(arguments));
  }

  Program in(Path folder) {
    builder.directory(folder.toFile());
    return this;
  }

  Program printingTo(File file) {
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(file));
    return this;
  }

  Outcome run() throws IOException {
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(waitFor(process), output.strip());
  }

  /**
   * The kernel ties a guarded program to the thread that started it, not to the JVM: so a thread of
   * its own starts it and lives as long. A daemon, so that the JVM can end.
   */
  Process startOnThreadThatStays() throws IOException {
    CompletableFuture<Process> started = new CompletableFuture<>();
    Thread thread = new Thread(() -> stay(started), "embedded-postgres");
    thread.setDaemon(true);
    thread.start();
    try {
      return started.join();
    } catch (CompletionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    }
  }

  private void stay(CompletableFuture<Process> started) {
    try {
      Process process = builder.start();
      started.complete(process);
      process.onExit().join();
    } catch (IOException | RuntimeException e) {
      started.completeExceptionally(e);
    }
  }

  private static int waitFor(Process process) {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EmbeddedPostgresException("Interrupted while waiting for PostgreSQL", e);
    }
  }

  /** How a program ended and what it printed. */
  record Outcome(int exit, String output) {

    boolean succeeded() {
      return exit == 0;
    }
  }
}
