package io.tokenvault.benchmark.program;

import java.util.ArrayList;
import java.util.List;

/**
 * What Java programs are run with.
 *
 * @param java the program {@code java}
 * @param heap as {@code -Xmx} takes it
 * @param further options
 */
public record Jvm(String java, String heap, List<String> further) {

  public List<String> command(String... arguments) {
    List<String> command = new ArrayList<>(List.of(java, "-Xmx" + heap));
    command.addAll(further);
    command.addAll(List.of(arguments));
    return command;
  }

  public Jvm with(String... options) {
    List<String> all = new ArrayList<>(further);
    all.addAll(List.of(options));
    return new Jvm(java, heap, List.copyOf(all));
  }
}
