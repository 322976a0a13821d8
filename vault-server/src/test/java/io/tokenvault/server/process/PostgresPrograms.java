package io.tokenvault.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * PostgreSQL's programs as they are installed on this machine, servers among them. Root runs them
 * as the user {@code postgres}.
 */
final class PostgresPrograms {

  private static final Path VERSIONS = Path.of("/usr/lib/postgresql");

  private final Path programs;
  private final List<String> environment;

  private PostgresPrograms(Path programs, List<String> environment) {
    this.programs = programs;
    this.environment = environment;
  }

  /** The newest; skips the test where there are none. */
  static PostgresPrograms require() {
    Optional<Path> programs = newest();
    assumeThat(programs)
        .as("PostgreSQL's server programs under %s, without which this is skipped", VERSIONS)
        .isPresent();
    return new PostgresPrograms(programs.get(), List.of());
  }

  private static Optional<Path> newest() {
    if (!Files.isDirectory(VERSIONS)) {
      return Optional.empty();
    }
    try (Stream<Path> found = Files.list(VERSIONS)) {
      return found
          .map(version -> version.resolve("bin"))
          .filter(bin -> Files.isExecutable(bin.resolve("pg_basebackup")))
          .sorted()
          .reduce((older, newer) -> newer);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** The same with more in what they see of the environment. */
  PostgresPrograms with(Map<String, String> more) {
    List<String> all = new ArrayList<>(environment);
    more.forEach((name, value) -> all.add(name + "=" + value));
    return new PostgresPrograms(programs, all);
  }

  /** A new directory that they may write to. */
  static Path directory() {
    try {
      Path directory = Files.createTempDirectory("vault-postgres-");
      give(directory);
      return directory;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** Lets them write to what the test has made. */
  static void give(Path path) {
    if (isRoot()) {
      command(List.of("chown", "-R", "postgres", path.toString()));
    }
  }

  static void delete(Path directory) {
    command(List.of("rm", "-r", directory.toString()));
  }

  /** Runs one to its end, which has to be good. */
  void run(String program, String... arguments) {
    List<String> all = new ArrayList<>();
    if (isRoot()) {
      all.addAll(List.of("runuser", "-u", "postgres", "--"));
    }
    all.add("env");
    all.addAll(environment);
    all.add(programs.resolve(program).toString());
    all.addAll(List.of(arguments));
    command(all);
  }

  /** Returns the folder that the programs are in. */
  Path directoryOfPrograms() {
    return programs;
  }

  /** Starts any program as the user of these, which may be killed by its process. */
  Process start(Path output, List<String> command) {
    List<String> all = new ArrayList<>();
    if (isRoot()) {
      // Unlike runuser, it stays no parent of the program.
      all.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"));
    }
    all.addAll(command);
    try {
      return new ProcessBuilder(all)
          .directory(Path.of("/").toFile())
          .redirectErrorStream(true)
          .redirectOutput(output.toFile())
          .start();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private static void command(List<String> command) {
    try {
      Path output = Files.createTempFile("vault-postgres-", ".txt");
      int exit =
          new ProcessBuilder(command)
              .directory(Path.of("/").toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start()
              .waitFor();
      assertThat(exit)
          .as("%s: %s", command.get(command.size() - 1), Files.readString(output))
          .isZero();
      Files.delete(output);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }
}
