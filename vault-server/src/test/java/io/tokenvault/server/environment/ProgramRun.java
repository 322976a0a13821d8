package io.tokenvault.server.environment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A completed run of a program.
 *
 * @param exitCode -1 if the program is not installed, or did not end in time
 * @param output the standard output, including errors
 */
public record ProgramRun(List<String> command, int exitCode, String output) {

  private static final long TIMEOUT_MINUTES = 5;

  /** Returns the path of an installed program, which may be one for administrators. */
  public static Optional<Path> find(String program) {
    String directories = System.getenv("PATH") + ":/usr/local/sbin:/usr/sbin";
    return Stream.of(directories.split(File.pathSeparator, -1))
        .map(directory -> Path.of(directory, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  public static ProgramRun of(String... command) {
    return in(Path.of("").toAbsolutePath(), Map.of(), command);
  }

  /**
   * Runs a command in a directory.
   *
   * @param environment variables in addition to those of this JVM
   */
  public static ProgramRun in(Path directory, Map<String, String> environment, String... command) {
    Path output = Unchecked.get(() -> Files.createTempFile("program", ".txt"));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    int exitCode = run(builder);
    String printed = Unchecked.get(() -> new String(Files.readAllBytes(output), UTF_8));
    Unchecked.run(() -> Files.delete(output));
    return new ProgramRun(List.of(command), exitCode, printed);
  }

  private static int run(ProcessBuilder builder) {
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      boolean ended = Unchecked.get(() -> process.waitFor(TIMEOUT_MINUTES, TimeUnit.MINUTES));
      process.destroyForcibly();
      return ended ? process.exitValue() : -1;
    } catch (IOException notInstalled) {
      return -1;
    }
  }

  public boolean isSuccess() {
    return exitCode == 0;
  }

  /** Asserts that the program succeeded, and returns its output. */
  public String expectSuccess() {
    assertThat(exitCode).as("%s", this).isZero();
    return output;
  }
}
