package io.tokenvault.benchmark.program;

import io.tokenvault.server.environment.ProgramRun;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A program that may be installed. */
public enum Tool {
  NGINX,
  WRK,
  PGBENCH;

  private String program() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the path of the program.
   *
   * @throws MissingToolException if it is not installed
   */
  public String require() {
    return ProgramRun.find(program())
        .orElseThrow(() -> new MissingToolException(program()))
        .toString();
  }

  /** Returns the command that runs it with these arguments. */
  List<String> command(Object... arguments) {
    return Stream.concat(Stream.of(require()), Stream.of(arguments).map(String::valueOf)).toList();
  }

  /** Thrown if a tool is missing, to skip the part of the benchmark that needs it. */
  public static final class MissingToolException extends RuntimeException {

    private static final long serialVersionUID = 1;

    MissingToolException(String program) {
      super(program + " is not installed");
    }
  }
}
