package io.tokenvault.benchmark.program;

import io.tokenvault.server.place.Unchecked;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What Java programs are run with.
 *
 * @param java the program {@code java}
 */
public record Jvm(String java, List<String> options) {

  public List<String> command(String... arguments) {
    List<String> command = new ArrayList<>(List.of(java));
    command.addAll(options);
    command.addAll(List.of(arguments));
    return command;
  }

  /** Returns the directory of the Java installation. */
  Path home() {
    return Unchecked.get(() -> Path.of(java).toRealPath().getParent().getParent());
  }
}
