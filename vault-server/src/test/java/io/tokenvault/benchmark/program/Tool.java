package io.tokenvault.benchmark.program;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/** A program that the user has installed, or has not. */
public enum Tool {
  NGINX,
  WRK,
  PGBENCH;

  /** Where Debian keeps what only root usually starts, which is not on everybody's path. */
  private static final String FOR_ROOT = "/usr/sbin";

  public String command() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  public Optional<Path> find() {
    String[] path = System.getenv().getOrDefault("PATH", "").split(File.pathSeparator);
    return Stream.concat(Arrays.stream(path), Stream.of(FOR_ROOT))
        .map(directory -> Path.of(directory, command()))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * @throws MissingToolException if it is not installed
   */
  public String require() {
    return find().orElseThrow(() -> new MissingToolException(this)).toString();
  }

  /** What a part of the benchmark needs is not there; the part is skipped. */
  public static final class MissingToolException extends RuntimeException {

    private static final long serialVersionUID = 1;

    MissingToolException(Tool tool) {
      super(tool.command() + " is not installed");
    }
  }
}
